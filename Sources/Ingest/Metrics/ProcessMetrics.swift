#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What Prometheus' own clients tell of their process, under the names that its dashboards know. Read from `/proc`;
/// where that is not there, nothing is told.
struct ProcessMetrics: Sendable {
    private static let residentMemory = MetricDescription(
        name: "process_resident_memory_bytes",
        kind: .gauge,
        help: "Memory of the process that is in RAM"
    )
    private static let cpu = MetricDescription(
        name: "process_cpu_seconds_total",
        kind: .counter,
        help: "Processor time that the process has used, user and system"
    )
    private static let openFiles = MetricDescription(
        name: "process_open_fds",
        kind: .gauge,
        help: "File descriptors that the process has open"
    )
    private static let startTime = MetricDescription(
        name: "process_start_time_seconds",
        kind: .gauge,
        help: "When the process started, in seconds since 1970"
    )

    func current() -> [(MetricDescription, Double)] {
        var values: [(MetricDescription, Double)] = []
        // proc(5): the name, in parentheses, may hold blanks; the fields after it do not. The first of them is the third.
        let status = Self.contents("/proc/self/stat")
        let fields = status.split(separator: ")").last?.split(separator: " ").map(String.init) ?? []
        func field(_ number: Int) -> Double? {
            fields.indices.contains(number - 3) ? Double(fields[number - 3]) : nil
        }
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        if let user = field(14), let system = field(15) { values.append((Self.cpu, (user + system) / ticks)) }
        if let count = Self.openFileCount() { values.append((Self.openFiles, Double(count))) }
        if let pages = field(24) {
            values.append((Self.residentMemory, pages * Double(sysconf(Int32(_SC_PAGESIZE)))))
        }
        if let start = field(22), let boot = Self.bootTime() { values.append((Self.startTime, boot + start / ticks)) }
        return values
    }

    private static func bootTime() -> Double? {
        for line in contents("/proc/stat").split(separator: "\n") where line.hasPrefix("btime ") {
            return Double(line.dropFirst("btime ".count))
        }
        return nil
    }

    private static func openFileCount() -> Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // `.`, `..` and the directory itself.
        return count - 3
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
            if piece.isEmpty { break }
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
