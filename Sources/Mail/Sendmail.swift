import EmbeddedPostgres
import Foundation
import Synchronization

/// The system's `sendmail`, or what takes its place (`mail.command`).
struct Sendmail: Sendable {
    /// Where `sendmail` is, whatever `PATH` says.
    private static let folders = ["/usr/sbin", "/usr/lib", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"]

    /// The program and its arguments. No shell reads them.
    let words: [String]
    /// The time that the program may take.
    let patience: Duration

    init(command: String, patience: Duration = .seconds(60)) {
        words = command.split(separator: " ").map(String.init)
        self.patience = patience
    }

    /// Gives a message to the program.
    ///
    /// - Throws: ``MailFailure`` if the program cannot be started, fails or takes too long.
    func send(_ message: String) async throws(MailFailure) {
        guard let program = path else { throw MailFailure(absence) }
        let words = [program] + words.dropFirst()
        let (patience, input) = (patience, message)
        // The program is waited for, so this must be no thread of the shared pool.
        let result: Result<Void, MailFailure> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Self.run(words, input: input, patience: patience))
            }
        }
        try result.get()
    }

    private var absence: String {
        "there is no program '\(words.first ?? "")'; name one with mail.command, or set mail.smtp"
    }

    /// Why a service that may gain no privileges cannot send; nil if nothing is known to be in the way.
    var obstacle: String? {
        guard let path else { return absence }
        // Postfix's sendmail is an ordinary program, and starts another one.
        let files = [path] + (path.hasSuffix("/sendmail") ? ["/usr/sbin/postdrop"] : [])
        let file = files.first { file in
            var status = stat()
            return stat(file, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID) != 0
        }
        return file.map { "\(path) needs the rights of \($0), which a service with NoNewPrivileges=yes cannot give" }
    }

    private var path: String? {
        guard let name = words.first else { return nil }
        if name.contains("/") { return name }
        let listed = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (listed + Self.folders).map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// Postfix's and Exim's programs get the right to a folder of mails from their files, which such a service forbids.
    private static var hint: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.contains("NoNewPrivs:\t1\n")
            ? "; this service may not gain privileges, as such programs often must: set mail.smtp" : ""
    }

    private static func run(_ words: [String], input: String, patience: Duration) -> Result<Void, MailFailure> {
        guard let file = TemporaryInput(input) else {
            return .failure(MailFailure("no temporary file can be written: \(String(cString: strerror(errno)))"))
        }
        do {
            let (process, output) = try SystemCommand(words, standardInput: file.descriptor).start()
            let deadline = ProcessDeadline(process, after: patience)
            let said = (try? output.readToEnd()) ?? Data()
            let status = deadline.wait()
            guard status != 0 else { return .success(()) }
            let words = String(decoding: said.prefix(2_000), as: UTF8.self).split(separator: "\n").joined(
                separator: "; "
            )
            if status == 128 + SIGKILL {
                return .failure(MailFailure("the program took longer than \(patience)" + hint))
            }
            return .failure(MailFailure("the program ended with \(status)" + hint, said: words))
        } catch {
            return .failure(MailFailure("\(words[0]) cannot be started: \(error)"))
        }
    }
}

/// Ends a process that takes too long.
private final class ProcessDeadline: Sendable {
    private let process: pid_t
    /// Whether the process's number is its own.
    private let state = Mutex(true)

    init(_ process: pid_t, after patience: Duration) {
        self.process = process
        let seconds = Double(patience.components.seconds) + Double(patience.components.attoseconds) * 1e-18
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            self.state.withLock { isRunning in
                // It leads a session of its own, so whatever it has started ends with it.
                if isRunning { kill(-process, SIGKILL) }
            }
        }
    }

    /// Waits until the process ends. It is found ended first and reaped under the lock, so that no signal goes to
    /// another process of the same number.
    func wait() -> Int32 {
        var information = siginfo_t()
        while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return state.withLock { isRunning in
            isRunning = false
            return SystemCommand.wait(process)
        }
    }
}

/// A file without a name that a program reads from its beginning.
private struct TemporaryInput: ~Copyable {
    let descriptor: Int32

    init?(_ text: String) {
        var path = Array("\(NSTemporaryDirectory())/tributary-mail-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var text = text
        let isWritten = text.withUTF8 { bytes in
            var bytes = UnsafeRawBufferPointer(bytes)
            while let start = bytes.baseAddress, !bytes.isEmpty {
                let count = write(descriptor, start, bytes.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    return false
                }
                bytes = UnsafeRawBufferPointer(rebasing: bytes[count...])
            }
            return true
        }
        guard isWritten, lseek(descriptor, 0, SEEK_SET) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
