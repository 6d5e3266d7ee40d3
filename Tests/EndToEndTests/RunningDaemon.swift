import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Postgres

/// The real `tributaryd` as a child process on a free port, and a client for it.
final class RunningDaemon: Sendable {
    enum Failure: Error {
        case didNotListen(log: String)
        case ended(log: String)
        case waitedTooLong(for: String, log: String)
    }

    struct Answer {
        var status: Int
        var headers: HTTPHeaders
        var body: String
    }

    /// Does not follow redirects.
    static let stayingClient = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: .init(redirectConfiguration: .disallow)
    )

    let baseURL: String
    private let process: Process
    private let log: LogCollector

    /// Runs `body` with a daemon on a database, and always stops the daemon. Its home is a new folder, unless
    /// `environment` names one.
    ///
    /// - Parameters:
    ///   - database: nil: the private cluster of its home, which the caller stops.
    ///   - isPresent: whether the database is there. Then the daemon has migrated it when the body begins.
    static func with<Result>(
        database: PostgresAddress?,
        isPresent: Bool = true,
        environment: [String: String] = [:],
        _ body: (RunningDaemon) async throws -> Result
    ) async throws -> Result {
        let home = FileManager.default.temporaryDirectory.appending(path: "tributaryd-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: home) }
        let daemon = try await RunningDaemon(
            database: database,
            environment: ["TRIBUTARY_HOME": home].merging(environment) { $1 }
        )
        do {
            if isPresent { try await daemon.waitForDatabase() }
            let result = try await body(daemon)
            await daemon.stop()
            return result
        } catch {
            await daemon.stop()
            throw error
        }
    }

    /// Waits until events go to the database.
    func waitForDatabase() async throws {
        try await wait(for: "the database") {
            try await send("GET", "/readyz").body.contains(#""database":"present""#)
        }
    }

    /// Waits until events go to the database, and none is left in the spool.
    func waitUntilDelivered() async throws {
        try await wait(for: "the delivery of the spool") {
            let readiness = try await send("GET", "/readyz").body
            return readiness.contains(#""database":"present""#) && readiness.contains(#""spool_events":0"#)
        }
    }

    /// Asks until the answer is yes, and leaves the processor to others meanwhile.
    func wait(for what: String, until isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while ContinuousClock.now < end {
            guard isRunning else { throw Failure.ended(log: log.text) }
            if try await isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure.waitedTooLong(for: what, log: log.text)
    }

    /// - Parameter port: 0: a free one.
    init(database: PostgresAddress?, environment: [String: String], port: UInt16 = 0) async throws {
        process = Process()
        process.executableURL = Programs.url(of: "tributaryd")
        process.arguments = ["--port", "\(port)"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["DATABASE_URL": database?.keywords ?? ""]) { $1 }
            .merging(environment) { $1 }
        let pipe = Pipe()
        process.standardError = pipe
        process.standardOutput = FileHandle.nullDevice
        log = LogCollector(pipe.fileHandleForReading)
        try process.run()
        guard let address = await log.firstMatch(of: "address=") else {
            process.terminate()
            throw Failure.didNotListen(log: log.text)
        }
        baseURL = "http://\(address)"
    }

    var logText: String { log.text }
    /// Waits for the first `prefix` in the log, and returns the word after it; nil if the daemon ended without it.
    func logged(_ prefix: String) async -> String? { await log.firstMatch(of: prefix) }

    var processID: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Sends SIGTERM, and returns the exit status.
    @discardableResult
    func stop() async -> Int32 {
        if process.isRunning { process.terminate() }
        return await exitStatus()
    }

    func exitStatus() async -> Int32 {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { [process] in
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }

    func send(
        _ method: String,
        _ path: String,
        key: String? = nil,
        type: String? = "application/json",
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        followsRedirects: Bool = true
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = HTTPMethod(rawValue: method)
        if let key { request.headers.add(name: "authorization", value: "Bearer \(key)") }
        if let type, !body.isEmpty { request.headers.add(name: "content-type", value: type) }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if !body.isEmpty { request.body = .bytes(body) }
        let client = followsRedirects ? HTTPClient.shared : Self.stayingClient
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 64 << 20)
        return Answer(status: Int(response.status.code), headers: response.headers, body: String(buffer: bytes))
    }

    func post(_ path: String, key: String, _ json: String) async throws -> Answer {
        try await send("POST", path, key: key, body: Array(json.utf8))
    }
}
