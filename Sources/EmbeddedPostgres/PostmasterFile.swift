#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// `postmaster.pid`, which a server writes into its data folder (PostgreSQL's sources, `utils/pidfile.h`).
struct PostmasterFile: Equatable {
    var process: pid_t
    var port: Int
    var socketFolder: String
    var isReady: Bool
    var isStopping: Bool

    static func path(data: String) -> String { data + "/postmaster.pid" }

    /// nil if there is none, or the server has not written all of it yet.
    init?(data: String) {
        guard let text = try? SystemFile.read(Self.path(data: data)) else { return nil }
        self.init(text: text)
    }

    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let process = lines.first.flatMap({ pid_t($0) }), process > 0 else { return nil }
        self.process = process
        port = lines.count > 3 ? Int(lines[3]) ?? 0 : 0
        socketFolder = lines.count > 4 ? String(lines[4]) : ""
        let status = lines.count > 7 ? lines[7] : ""
        isReady = status.hasPrefix("ready")
        isStopping = status.hasPrefix("stopping")
    }

    var socketPath: String { socketFolder + "/.s.PGSQL.\(port)" }

    /// Whether the server answers: what the file says may be from before a crash.
    var isListening: Bool { isReady && !socketFolder.isEmpty && Self.canConnect(socketPath) }

    /// Whether the process exists and, where the system tells, really is the server of this data folder.
    func isServing(_ data: String) -> Bool {
        guard Self.isAlive(process) else { return false }
        #if os(Linux)
            // A server's working folder is its data folder.
            guard let folder = SystemFile.status("/proc/\(process)/cwd"), let expected = SystemFile.status(data) else {
                return true
            }
            return folder.st_dev == expected.st_dev && folder.st_ino == expected.st_ino
        #else
            return true
        #endif
    }

    /// A zombie, whose parent does not care, is not alive.
    static func isAlive(_ process: pid_t) -> Bool {
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        #if os(Linux)
            guard let text = try? SystemFile.read("/proc/\(process)/stat") else { return true }
            // "pid (name) state …", where the name may hold anything
            return text.split(separator: ")").last.map { !$0.hasPrefix(" Z") } ?? true
        #else
            return true
        #endif
    }

    private static func canConnect(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if canImport(Darwin)
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        #endif
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
