import Foundation
import JSONReading
import Postgres
import PostgresTesting
import RandomTesting
import Testing

/// What bad and slow senders get: a 4xx or a closed connection, and nobody else notices. `scripts/check-http` does the
/// same at length.
@Suite("The socket")
struct SocketTests {
    private func withDaemon(_ body: @Sendable (RunningDaemon, String) async throws -> Void) async throws {
        try await TestDatabases.withSchema { database in
            let outcome = try await Programs.tributary(
                ["app", "create", "--id", "shop", "--name", "Shop", "--format", "json"],
                database: database.address
            )
            let key = try #require(try JSONDocument(reading: outcome.output.utf8).root["write_key"]?.string)
            try await RunningDaemon.with(database: database.address) { daemon in
                try await body(daemon, key)
                #expect(daemon.isRunning)
                #expect(!daemon.logText.contains(" error "), "\(daemon.logText)")
            }
        }
    }

    @Test func rubbishGetsNoAnswerOrARefusal() async throws {
        try await withDaemon { daemon, key in
            var requests = SocketRubbish.requests(key: key).map { Array($0.utf8) }
            var random = SeededRandom(seed: TestSeeds.first)
            for _ in 0..<50 * Int(TestSeeds.samples) {
                let count = Int.random(in: 1...300, using: &random)
                requests.append((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            }
            for request in requests {
                let connection = try SocketConnection(to: daemon.baseURL)
                connection.send(request)
                connection.finishSending()
                let shown = "seed \(TestSeeds.first): " + String(decoding: request.prefix(300), as: UTF8.self)
                guard let received = connection.receiveAll() else {
                    Issue.record("neither answered nor closed: \(shown)")
                    continue
                }
                #expect(SocketConnection.statuses(in: received).allSatisfy { $0 < 500 }, "\(shown)")
                #expect(
                    !String(decoding: received, as: UTF8.self).contains("# HELP"),
                    "a hidden request was answered: \(shown)"
                )
            }
            #expect(try await daemon.send("GET", "/healthz").status == 200)
        }
    }

    /// Bodies that were valid before some of their bytes changed.
    @Test func fuzzedBodiesGetNoServerError() async throws {
        try await withDaemon { daemon, key in
            var random = SeededRandom(seed: TestSeeds.first)
            let seeds = [
                #"{"type":"inbound_link","user_id":"u","url":"fb1://authorize#target_url=x%3A%2F%2Fy&access_token=T"}"#,
                #"{"events":[{"type":"conversion","user_id":"u","name":"n","value":"1.50","currency":"EUR"}],"sent_at":"2026-11-21T10:00:00Z"}"#,
                #"{"type":"install","device_id":"d","properties":{"a":[1,2.5e3,{"b":"\u00e9\ud83d\ude00"}]}}"#,
                #"{"type":"feed_post","callback_url":"fb1://bridge/share?bridge_args={\"action_id\":\"1\"}&method_results={}"}"#,
                "user_id=u&url=https%3A%2F%2Fapps.facebook.com%2Fshop%2F%3Ffb_source%3Dsearch&ref=a,b",
            ].map { Array($0.utf8) }
            let types = [SecretsTraffic.jsonType, SecretsTraffic.linesType, SecretsTraffic.formType]
            for number in 0..<400 * Int(TestSeeds.samples) {
                var body = seeds[number % seeds.count]
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    let place = Int.random(in: 0..<max(1, body.count), using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: body.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    case 1: body.removeSubrange(place..<min(body.count, place + Int.random(in: 0...9, using: &random)))
                    case 2: body.insert(contentsOf: body[place..<min(body.count, place + 40)], at: place)
                    default: if place < body.count { body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random) }
                    }
                }
                let path = ["/v1/events", "/v1/inbound-links", "/v1/feed-posts"][number % 3]
                let answer = try await daemon.send(
                    "POST",
                    path,
                    key: key,
                    type: types.randomElement(using: &random),
                    headers: number % 50 == 0 ? [("content-encoding", "gzip")] : [],
                    body: body
                )
                #expect(answer.status < 500, "seed \(TestSeeds.first), \(body): \(answer.body)")
            }
        }
    }

    /// 256 MiB of blanks in 255 KiB, and one body of many gzip members.
    @Test func aBombCostsItsLimitAndNoMore() async throws {
        try await withDaemon { daemon, key in
            let file = FileManager.default.temporaryDirectory.appending(path: "bomb-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            let script = "head -c 268435456 /dev/zero | tr '\\0' ' ' | gzip -9 > \(file.path)"
            #expect(try SecretsSearch.run("sh", ["-c", script]).status == 0)
            let bomb = Array(try Data(contentsOf: file))
            var peaks: [Int] = []
            for _ in 0..<6 {
                let answer = try await daemon.send(
                    "POST",
                    "/v1/events",
                    key: key,
                    headers: [("content-encoding", "gzip")],
                    body: bomb
                )
                #expect(answer.status == 413)
                #expect(answer.body.contains("body_too_large"))
                if let peak = Self.kibibytes("VmHWM", of: daemon.processID) { peaks.append(peak) }
            }
            // 32 MiB: the body, twice while its buffer grows, and the program itself.
            if let first = peaks.first, let last = peaks.last { #expect(last < first + 64 << 10, "\(peaks)") }
            if let last = peaks.last { #expect(last < 256 << 10) }
        }
    }

    @Test func idleAndSlowConnectionsHinderNobody() async throws {
        try await withDaemon { daemon, key in
            let head =
                "POST /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(key)\r\nContent-Length: 4000\r\n\r\n"
            let idle = try (0..<150).map { _ in try SocketConnection(to: daemon.baseURL) }
            let slow = try (0..<50).map { _ in try SocketConnection(to: daemon.baseURL) }
            for number in 0..<60 {
                // One byte at a time: half of the connections in the head, half in the body.
                for (place, connection) in slow.enumerated() {
                    let bytes = Array(head.utf8)
                    if place % 2 == 0 {
                        connection.send([bytes[number]])
                    } else {
                        connection.send(number == 0 ? bytes : [0x20])
                    }
                }
                let answer = try await daemon.post("/v1/events", key: key, #"{"type":"install","user_id":"u"}"#)
                #expect(answer.status == 200, "\(answer.body)")
            }
            #expect(try await daemon.send("GET", "/healthz").status == 200)
            withExtendedLifetime((idle, slow)) {}
        }
    }

    /// The peak memory of a process as Linux reports it; nil on other systems.
    private static func kibibytes(_ name: String, of process: Int32) -> Int? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
    }
}
