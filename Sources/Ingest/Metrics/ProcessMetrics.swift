#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The process metrics of Prometheus' own clients, under the same names, so that existing dashboards work.
struct ProcessMetrics: Sendable {
    private static let residentMemory = MetricDescription(
        "process_resident_memory_bytes",
        .gauge,
        "Memory of the process that is in RAM"
    )
    private static let cpu = MetricDescription(
        "process_cpu_seconds_total",
        .counter,
        "Processor time that the process has used, user and system"
    )
    private static let openFiles = MetricDescription(
        "process_open_fds",
        .gauge,
        "File descriptors that the process has open"
    )
    private static let openFileLimit = MetricDescription(
        "process_max_fds",
        .gauge,
        "File descriptors that the process may have open"
    )
    private static let startTime = MetricDescription(
        "process_start_time_seconds",
        .gauge,
        "When the process started, in seconds since 1970"
    )

    /// The values that are known.
    func current() -> [(MetricDescription, Double)] {
        let status = ProcessFiles.status
        let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        let pageSize = Double(sysconf(Int32(_SC_PAGESIZE)))
        var values: [(MetricDescription, Double)] = []
        if let user = status[14], let system = status[15] { values.append((Self.cpu, (user + system) / ticks)) }
        if let limit = ProcessFiles.openFileLimit { values.append((Self.openFileLimit, Double(limit))) }
        if let count = ProcessFiles.openFileCount { values.append((Self.openFiles, Double(count))) }
        if let pages = status[24] { values.append((Self.residentMemory, pages * pageSize)) }
        if let start = status[22], let boot = ProcessFiles.bootTime {
            values.append((Self.startTime, boot + start / ticks))
        }
        return values
    }
}
