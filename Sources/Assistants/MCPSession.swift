import InboundLinks
import JSONReading
import Text

/// One conversation in the Model Context Protocol: messages in, answers out, as JSON-RPC 2.0. It does no work itself.
///
/// A client that asks for tools before `initialize` gets its answer all the same: nothing depends on the order.
package struct MCPSession: Sendable {
    /// The versions of the protocol on which `initialize` agrees, the newest first. 2025-03-26 is missing, because that
    /// version alone sends several messages as one.
    static let handshakeVersions = ["2025-11-25", "2025-06-18", "2024-11-05"]
    /// All versions. Since 2026-07-28, each request names its own.
    package static let versions = ["2026-07-28"] + handshakeVersions
    /// How many calls may run at once.
    package static let callLimit = 8

    /// The id that a client gives to a request.
    package enum ID: Hashable, Sendable {
        /// A number as the client spelled it.
        case number(String)
        case text(String)
    }

    /// A tool to run. ``finished(_:with:)`` tells its outcome.
    package struct Call: Sendable {
        package let id: ID
        package let tool: AssistantTool
        package let arguments: ToolArguments
        fileprivate let number: Int
    }

    /// What to do after a message.
    package enum Action: Sendable {
        case nothing
        /// Send this line.
        case answer(String)
        case run(Call)
        /// Nobody waits for the outcome of this call any more.
        case cancel(ID)
    }

    private struct Failure: Error {
        var code: Int
        var message: String
        /// The version that a request names and that this program does not speak.
        var version: String?

        static func invalidRequest(_ message: String) -> Failure { Failure(code: -32_600, message: message) }
        static func unknownMethod(_ message: String) -> Failure { Failure(code: -32_601, message: message) }
        static func invalidParameters(_ message: String) -> Failure { Failure(code: -32_602, message: message) }
    }

    private static let methods = ["initialize", "ping", "server/discover", "tools/call", "tools/list"]
    /// What clients ask for though the capabilities do not name it, and the name of the list in the answer.
    private static let emptyLists = [
        "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
    ]
    private static let versionKey = "io.modelcontextprotocol/protocolVersion"
    /// How long a client may use a list of tools again, in milliseconds: it changes with the program alone.
    private static let listLifetime = 3_600_000

    private let programVersion: String
    /// The calls that run, with their numbers: an id may be used again after a cancellation.
    private var running: [ID: Int] = [:]
    private var calls = 0

    /// - Parameter programVersion: the version of Tributary, which clients show.
    package init(programVersion: String) {
        self.programVersion = programVersion
    }

    /// - Parameter line: one message, without the line break.
    package mutating func received(_ line: [UInt8]) -> Action {
        let document: JSONDocument
        do {
            document = try JSONDocument(reading: line, maximumNodes: 10_000)
        } catch {
            if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\t") }) {
                return .nothing
            }
            return .answer(Self.error(nil, Failure(code: -32_700, message: "the line is no JSON that can be read")))
        }
        let message = document.root
        do throws(Failure) {
            return try read(message)
        } catch {
            return .answer(Self.error(Self.id(of: message), error))
        }
    }

    /// A line was longer than the program reads.
    package static func receivedTooLong(limit: Int) -> String {
        error(nil, Failure(code: -32_700, message: "the line is longer than \(limit) bytes"))
    }

    /// - Returns: the line to send; nil if the call was cancelled.
    package mutating func finished(_ call: Call, with outcome: ToolOutcome) -> String? {
        guard running[call.id] == call.number else { return nil }
        running[call.id] = nil
        return Self.result(of: call.id) { json in
            json.key("content")
            json.array { json in
                json.object { json in
                    json.member("type", "text")
                    json.member("text", outcome.text)
                }
            }
            json.member("isError", outcome.isError)
        }
    }

    func isRunning(_ id: ID) -> Bool { running[id] != nil }

    private mutating func read(_ message: JSONNode) throws(Failure) -> Action {
        guard message.kind == .object else {
            throw .invalidRequest("send one message a line, as an object; arrays of messages are not read")
        }
        guard message["jsonrpc"]?.string == "2.0" else { throw .invalidRequest("jsonrpc must be \"2.0\"") }
        guard let method = message["method"]?.string else {
            // Answers: nothing is asked of clients, so nothing waits for one.
            if message["method"] == nil, message["result"] != nil || message["error"] != nil { return .nothing }
            throw .invalidRequest("method is missing")
        }
        guard message["id"] != nil else { return notified(method, message["params"]) }
        guard let id = Self.id(of: message) else { throw .invalidRequest("id must be a string or a number") }
        guard running[id] == nil else { throw .invalidRequest("a request with this id is still running") }
        // Some clients send null for a request without parameters.
        let parameters = message["params"].flatMap { $0.kind == .null ? nil : $0 }
        if let parameters, parameters.kind != .object { throw .invalidParameters("params must be an object") }
        if let version = parameters?["_meta"]?[Self.versionKey]?.string, !Self.versions.contains(version) {
            throw Failure(code: -32_022, message: "this version of the protocol is not spoken here", version: version)
        }
        switch method {
        case "server/discover": return .answer(discovered(id))
        case "initialize": return .answer(try initialized(id, parameters))
        case "ping": return .answer(Self.result(of: id) { _ in })
        case "tools/list": return .answer(Self.toolList(id))
        case "tools/call": return .run(try call(id, parameters))
        default:
            if let list = Self.emptyLists[method] {
                return .answer(Self.result(of: id) { json in json.member(list, []) })
            }
            throw .unknownMethod(
                "unknown method '\(Redaction.redact(method))' (one of: \(Self.methods.joined(separator: ", ")))"
            )
        }
    }

    private mutating func notified(_ method: String, _ parameters: JSONNode?) -> Action {
        guard method == "notifications/cancelled", let id = parameters?["requestId"].flatMap(Self.id(from:)),
            running.removeValue(forKey: id) != nil
        else { return .nothing }
        return .cancel(id)
    }

    /// Agrees on the client's version, or else on the newest that is no newer, which the client most likely knows too.
    private func initialized(_ id: ID, _ parameters: JSONNode?) throws(Failure) -> String {
        guard let wanted = parameters?["protocolVersion"]?.string else {
            throw .invalidParameters("protocolVersion is missing")
        }
        let versions = Self.handshakeVersions
        return Self.result(of: id) { json in
            json.member("protocolVersion", versions.first { $0 <= wanted } ?? versions[versions.count - 1])
            writeServer(to: &json)
        }
    }

    /// What newer clients ask instead.
    private func discovered(_ id: ID) -> String {
        Self.result(of: id) { json in
            json.member("supportedVersions", Self.versions)
            writeServer(to: &json)
            Self.writeLifetime(to: &json)
        }
    }

    private func writeServer(to json: inout JSONWriter) {
        json.key("capabilities")
        json.object { json in
            json.key("tools")
            json.object { _ in }
        }
        json.key("serverInfo")
        json.object { json in
            json.member("name", "tributary")
            json.member("title", "Tributary")
            json.member("version", programVersion)
        }
        json.member("instructions", AssistantTool.instructions)
    }

    private static func writeLifetime(to json: inout JSONWriter) {
        json.member("ttlMs", listLifetime)
        json.member("cacheScope", "private")
    }

    private mutating func call(_ id: ID, _ parameters: JSONNode?) throws(Failure) -> Call {
        guard let name = parameters?["name"]?.string else { throw .invalidParameters("name of the tool is missing") }
        guard let tool = AssistantTool(rawValue: name) else {
            let names = AssistantTool.allCases.map(\.rawValue)
            let hint = closestName(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
            throw .invalidParameters(
                "unknown tool '\(Redaction.redact(name))'\(hint) (one of: \(names.joined(separator: ", ")))"
            )
        }
        guard running.count < Self.callLimit else {
            throw Failure(code: -32_000, message: "\(Self.callLimit) calls are running; wait for one of them")
        }
        calls += 1
        running[id] = calls
        return Call(id: id, tool: tool, arguments: ToolArguments(parameters?["arguments"]), number: calls)
    }

    private static func toolList(_ id: ID) -> String {
        result(of: id) { json in
            json.key("tools")
            json.array { json in for tool in AssistantTool.allCases { tool.write(to: &json) } }
            writeLifetime(to: &json)
        }
    }

    /// Nil if the message has no id that an answer could name.
    private static func id(of message: JSONNode) -> ID? { message["id"].flatMap(id(from:)) }

    private static func id(from node: JSONNode) -> ID? {
        node.string.map { .text($0) } ?? node.number.map { .number($0) }
    }

    private static func result(of id: ID, _ members: (inout JSONWriter) -> Void) -> String {
        message(id) { json in
            json.key("result")
            json.object { json in
                members(&json)
                json.member("resultType", "complete")
            }
        }
    }

    private static func error(_ id: ID?, _ failure: Failure) -> String {
        message(id) { json in
            json.key("error")
            json.object { json in
                json.member("code", failure.code)
                json.member("message", failure.message)
                guard let version = failure.version else { return }
                json.key("data")
                json.object { json in
                    json.member("supported", versions)
                    json.member("requested", version)
                }
            }
        }
    }

    private static func message(_ id: ID?, _ content: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("jsonrpc", "2.0")
            json.key("id")
            switch id {
            case .number(let spelling): json.raw(spelling)
            case .text(let text): json.string(text)
            case nil: json.null()
            }
            content(&json)
        }
        return json.text
    }
}
