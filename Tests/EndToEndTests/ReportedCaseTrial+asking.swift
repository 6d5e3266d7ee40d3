import Foundation
import JSONReading
import NIOHTTP1
import PostgresTesting
import Testing

/// Requests, commands and reports.
extension ReportedCaseTrial {
    func http(_ item: ReportedCase) async throws -> [String] {
        if let request = item["input"]?.string {
            let connection = try SocketConnection(to: daemon.baseURL)
            connection.send(request.utf8)
            let answer = String(decoding: connection.receiveAll() ?? [], as: UTF8.self)
            return difference(
                "status",
                answer.split(separator: " ").dropFirst().first.map(String.init),
                item.expected?["status"]
            )
        }
        let answer = try await daemon.send(
            item["input"]?["method"]?.string ?? "",
            item["input"]?["path"]?.string ?? "",
            headers: item["input"]?["headers"]?.members.map { ($0.key, $0.value.string ?? "") } ?? []
        )
        var failures = difference("status", "\(answer.status)", item.expected?["status"])
        for (name, values) in item.expected?.members.map({ ($0.key, $0.value) }) ?? [] where name.hasSuffix(" contains")
        {
            let found = answer.headers[canonicalForm: String(name.dropLast(9))].map { $0.lowercased() }
            for value in values.elements.compactMap(\.string) where !found.contains(value) {
                failures.append("\(name) no \(value)")
            }
        }
        return failures
    }

    func reportQuery(_ item: ReportedCase) async throws -> [String] {
        let answer = try await daemon.send("GET", item["input"]?.string ?? "", key: readKey)
        if answer.status == 400, answer.body.contains("%2B") { return [] }
        let from = try JSONDocument(reading: answer.body.utf8).root["from"]?.string
        return difference("status", "\(answer.status)", item.expected?["status"])
            + difference("from", from, item.expected?["from"])
    }

    func command(_ item: ReportedCase) async throws -> [String] {
        let outcome = try await Programs.shell(item["input"]?.string ?? "", database: database.address)
        var failures: [String] = []
        for (name, value) in item.expected?.members.map({ ($0.key, $0.value) }) ?? [] {
            switch name {
            case "exit": failures += difference(name, "\(outcome.status)", value)
            case "stderr_without":
                for text in value.elements.compactMap(\.string) where outcome.errors.contains(text) {
                    failures.append("standard error says \(text)")
                }
            case "then": failures += try await origin(ofKey: outcome.output)
            case "a cell that Excel keeps as a text":
                if !outcome.output.contains(#""=""9912140633506421""""#) { failures.append(outcome.output) }
            default: failures.append("nothing compares '\(name)'")
            }
        }
        return failures
    }

    /// The page of the key's origin is answered.
    private func origin(ofKey output: String) async throws -> [String] {
        let key = try #require(output.firstMatch(of: /trib_a_[A-Za-z0-9_-]+/)).0
        let answer = try await daemon.send(
            "POST",
            "/v1/events",
            key: String(key),
            headers: [("origin", "capacitor://localhost")],
            body: Array(#"{"type":"app_open","device_id":"capacitor","platform":"ios"}"#.utf8)
        )
        return answer.headers["access-control-allow-origin"].first == "capacitor://localhost" ? [] : [answer.body]
    }

    func assistant(_ item: ReportedCase) async throws -> [String] {
        let method = item["input"]?["method"]?.string ?? ""
        let outcome = try await Programs.tributary(
            ["mcp"],
            database: database.address,
            input: #"{"jsonrpc":"2.0","id":1,"method":"\#(method)"}"# + "\n"
        )
        let tools = try JSONDocument(reading: outcome.output.utf8).root["result"]?["tools"]?.elements.map { $0 } ?? []
        return (tools.isEmpty ? ["there are no tools"] : [])
            + tools.flatMap { tool in untyped(tool["inputSchema"], in: tool["name"]?.string ?? "") }
    }

    private func untyped(_ schema: JSONNode?, in path: String) -> [String] {
        guard let schema else { return [] }
        let isTyped = schema["type"] != nil || schema["anyOf"]?.elements.allSatisfy { $0["type"] != nil } ?? false
        return (isTyped ? [] : ["\(path) has no type"])
            + (schema["properties"]?.members.flatMap { untyped($0.value, in: path + "." + $0.key) } ?? [])
    }

    // MARK: - Reports

    func credit(_ item: ReportedCase) async throws -> [String] {
        let answer = try await post("[" + item.inputs.joined(separator: ",") + "]")
        try #require(answer.status == 200, "\(answer.body)")
        let events = try item.inputs.map { try JSONDocument(reading: $0.utf8).root }
        let device = events.lazy.compactMap { $0["device_id"]?.string }.first ?? ""
        func refs(_ event: String) async throws -> String {
            let answer = try await daemon.send(
                "GET",
                "/v1/attributions?device_id=\(device)&event=\(event)",
                key: readKey
            )
            let credits = try JSONDocument(reading: answer.body.utf8).root["credits"]?.elements.map { $0 } ?? []
            return credits.flatMap { $0["refs"]?.elements.compactMap(\.string) ?? [] }.joined(separator: ",")
        }
        var failures: [String] = []
        for (name, value) in item.expected?.members.map({ ($0.key, $0.value) }) ?? [] {
            switch name {
            case "refs of the install":
                let expected = value.elements.compactMap(\.string).joined(separator: ",")
                if try await refs("install") != expected { failures.append("\(name) are not \(expected)") }
            case "installs_injected":
                failures += difference(name, try await report("installs?from=1d").compactMap { $0[name] }.max(), value)
            default: failures.append("nothing compares '\(name)'")
            }
        }
        return failures
    }

    func rows(_ item: ReportedCase) async throws -> [String] {
        let property = item["input"]?["property"]?.string ?? ""
        for value in item["input"]?["values in JSON"]?.elements.compactMap(\.string) ?? [] {
            try await store(#"{"device_id":"p","channel":"other","properties":{"\#(property)":\#(value)}}"#)
        }
        let rows = try await report("breakdown?by=\(property)&from=1d")
        return item.expected?["rows"]?.members.flatMap { member in
            difference(member.key, rows.first { $0[property] == member.key }?["touches"], member.value)
        } ?? ["no rows are expected"]
    }

    func activity(_ item: ReportedCase) async throws -> [String] {
        for event in item["input"]?["events"]?.elements.map({ $0.elements.compactMap(\.string) }) ?? [] {
            let body = #"{"type":"app_open","device_id":"\#(event[0])","occurred_at":"\#(event[1])T12:00:00Z"}"#
            try #require(try await post(body).status == 200)
        }
        func input(_ name: String) -> String { item["input"]?[name]?.string ?? "" }
        let rows = try await report(
            "activity?tz=\(input("tz"))&period=\(input("period"))&from=\(input("from"))&to=\(input("to"))"
        )
        return item.expected?.members.flatMap { member in
            let row = rows.first { $0["period"] == member.key.replacing("row ", with: "") }
            return member.value.members.flatMap { difference($0.key, row?[$0.key], $0.value) }
        } ?? ["no rows are expected"]
    }
}
