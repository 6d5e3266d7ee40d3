import Foundation

/// `postmaster.pid`, which a server writes into its data folder (PostgreSQL's sources, `utils/pidfile.h`).
struct PostmasterFile: Equatable {
    var process: pid_t
    var port: Int
    var socketFolder: String
    var isReady: Bool

    static func path(data: String) -> String { data + "/postmaster.pid" }

    /// Nil if the file does not exist or is not written completely yet.
    init?(data: String) {
        guard let text = SystemFile.read(Self.path(data: data)) else { return nil }
        self.init(text: text)
    }

    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = lines.first.flatMap({ pid_t($0) }), process > 0 else { return nil }
        self.process = process
        port = lines.count > 3 ? Int(lines[3]) ?? 0 : 0
        socketFolder = lines.count > 4 ? String(lines[4]) : ""
        isReady = lines.count > 7 && lines[7].hasPrefix("ready")
    }

    var socketPath: String { socketFolder + "/.s.PGSQL.\(port)" }

    /// Whether the server answers. The file alone may be from before a crash.
    var isListening: Bool { isReady && !socketFolder.isEmpty && Self.answers(socketPath) }

    /// A server's process that works in a data folder, whatever the file says; nil if there is none, or the system does
    /// not tell.
    static func server(of data: String) -> pid_t? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.lazy.compactMap { pid_t($0) }.first { process in
            SystemFile.read("/proc/\(process)/comm")?.hasPrefix("postgres") == true
                && works(process, in: data) == true && isAlive(process)
        }
    }

    /// Whether the process exists and, where the system tells, is the server of this data folder.
    func isServing(_ data: String) -> Bool {
        guard Self.isAlive(process) else { return false }
        // The server runs under this account, or this account is root. Another account's process only has the number.
        if geteuid() != 0, kill(process, 0) != 0, errno == EPERM { return false }
        return Self.works(process, in: data) ?? true
    }

    /// Whether a process's working folder is a data folder, as a server's is; nil if the system does not tell.
    private static func works(_ process: pid_t, in data: String) -> Bool? {
        guard let working = SystemFile.status("/proc/\(process)/cwd"), let expected = SystemFile.status(data) else {
            return nil
        }
        return working.st_dev == expected.st_dev && working.st_ino == expected.st_ino
    }

    /// Whether a process is alive. A zombie, which its parent has not reaped, is not.
    static func isAlive(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        // "pid (name) state …", where the name may contain any character.
        let text = SystemFile.read("/proc/\(process)/stat")
        return text?.split(separator: ")").last.map { !$0.hasPrefix(" Z") } ?? true
    }

    /// Whether a server answers at a socket. Asks for encryption (`SSLRequest` in PostgreSQL's protocol), which every
    /// server answers with yes or no.
    ///
    /// A killed server leaves processes that hold its socket open for a moment: they accept a connection and end it
    /// without an answer. A server that says nothing for two seconds is frozen; it counts as answering.
    private static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { return false }
        var patience = timeval(tv_sec: 2, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let request: [UInt8] = [0, 0, 0, 8, 0x04, 0xD2, 0x16, 0x2F]
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
            _ = send(descriptor, request, request.count, 0)
        #else
            _ = send(descriptor, request, request.count, Int32(MSG_NOSIGNAL))
        #endif
        var answer: UInt8 = 0
        let count = recv(descriptor, &answer, 1, 0)
        return count > 0 || count < 0 && errno != ECONNRESET
    }
}
