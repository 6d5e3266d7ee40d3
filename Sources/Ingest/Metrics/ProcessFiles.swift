#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Facts about this process from `/proc`. Without `/proc`, they are nil or empty.
enum ProcessFiles {
    /// How many file descriptors the process may have (`ulimit -n`).
    static var openFileLimit: Int? {
        for line in contents("/proc/self/limits").split(separator: "\n") where line.hasPrefix("Max open files ") {
            return line.dropFirst("Max open files ".count).split(separator: " ").first.flatMap { Int($0) }
        }
        return nil
    }

    static var openFileCount: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // `.`, `..` and the directory itself.
        return count - 3
    }

    /// Fields of `/proc/self/stat` by their numbers in proc(5).
    static var status: [Int: Double] {
        // The name, in parentheses, may contain blanks; the fields after it do not. The first of them is field 3.
        let fields = contents("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        var status: [Int: Double] = [:]
        for (index, field) in fields.enumerated() { status[index + 3] = Double(field) }
        return status
    }

    /// When the system started, in seconds since 1970.
    static var bootTime: Double? {
        for line in contents("/proc/stat").split(separator: "\n") where line.hasPrefix("btime ") {
            return Double(line.dropFirst("btime ".count))
        }
        return nil
    }

    private static func contents(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            let piece = [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
            }
            if piece.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
    }
}
