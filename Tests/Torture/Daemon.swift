import Foundation
import Synchronization

/// One `tributaryd` that faults kill and start again, behind a proxy that always knows its port.
final class Daemon: Sendable {
    private struct State {
        var process: Process?
        /// 0 until the first start. Later starts take the same port, as those of a service do.
        var port = 0
        /// Until when a fault keeps the daemon, or the way to it, silent.
        var silentUntil = ContinuousClock.now
    }

    let name: String
    let proxy: Proxy
    private let program: URL
    private let environment: [String: String]
    private let folder: String
    private let reaper: Reaper
    private let state = Mutex(State())

    var log: String { "\(folder)/\(name).log" }
    var port: Int { state.withLock { $0.port } }

    init(name: String, program: URL, environment: [String: String], folder: String, reaper: Reaper) throws {
        self.name = name
        self.program = program
        self.environment = environment
        self.folder = folder
        self.reaper = reaper
        proxy = try Proxy(to: .port(1))
        _ = FileManager.default.createFile(atPath: log, contents: nil)
    }

    /// Whether senders had to wait for the daemon at some time since then, because a fault kept it silent.
    func wasSilent(since start: ContinuousClock.Instant) -> Bool { state.withLock { $0.silentUntil > start } }

    func isSilent(for time: Duration) { state.withLock { $0.silentUntil = max($0.silentUntil, .now + time) } }

    func start() async throws {
        if try await start(at: port) { return }
        // Another program may have taken the port meanwhile.
        guard try await start(at: 0) else { throw TortureFailure("daemon \(name) ended at its start; see its log") }
    }

    /// - Returns: whether it listens; false if it ended.
    private func start(at port: Int) async throws -> Bool {
        guard let output = FileHandle(forWritingAtPath: log) else { throw TortureFailure("\(log) cannot be written") }
        let start = try output.seekToEnd()
        let process = Process()
        process.executableURL = program
        process.arguments = ["--port", "\(port)"]
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.environment = environment
        process.standardError = output
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        try output.close()
        reaper.watch(process: process.processIdentifier)
        state.withLock { $0.process = process }
        // It must listen soon, even if the database is unavailable or frozen.
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            if let port = try listeningPort(after: start) {
                state.withLock { $0.port = port }
                proxy.setTarget(.port(port))
                return true
            }
            guard process.isRunning else {
                reaper.forget(process: process.processIdentifier)
                return false
            }
            guard ContinuousClock.now < deadline else {
                throw TortureFailure("daemon \(name) does not listen 30 s after its start")
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func listeningPort(after start: UInt64) throws -> Int? {
        guard let input = FileHandle(forReadingAtPath: log) else { return nil }
        defer { try? input.close() }
        try input.seek(toOffset: start)
        let text = String(decoding: try input.readToEnd() ?? Data(), as: UTF8.self)
        guard let range = text.firstRange(of: "address=127.0.0.1:") else { return nil }
        let digits = text[range.upperBound...].prefix(while: \.isNumber)
        // Without a character after the digits, the line may not be complete yet.
        return digits.endIndex < text.endIndex ? Int(digits) : nil
    }

    func send(_ signal: Int32) {
        if let process = state.withLock({ $0.process }) { kill(process.processIdentifier, signal) }
    }

    /// Ends the daemon with SIGKILL or SIGTERM.
    ///
    /// - Returns: the exit status; nil if it did not end within `patience` and was killed.
    @discardableResult
    func end(_ signal: Int32, patience: Duration = .seconds(15)) async -> Int32? {
        guard let process = state.withLock({ $0.process }) else { return 0 }
        kill(process.processIdentifier, signal)
        let deadline = ContinuousClock.now + patience
        var isPatient = true
        while process.isRunning {
            if ContinuousClock.now > deadline, isPatient {
                isPatient = false
                kill(process.processIdentifier, SIGKILL)
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
        reaper.forget(process: process.processIdentifier)
        state.withLock { $0.process = nil }
        return isPatient ? process.terminationStatus : nil
    }
}
