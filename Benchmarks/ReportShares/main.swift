// How the connections of a report would share it on a machine with more processors.
//
//     report-shares DATABASE_URL APP [--connections 1,2,4,8,16] [--runs 3] [--at-once] REPORT [NAME=VALUE …]
//
// One connection works at a time (`ScanTurns`), so that each has the machine for itself. Prints Markdown: for each
// number of connections the slowest and the mean share, what is no share, and the time that follows from them. With
// --at-once they work at once, as in a report: prints times, and the memory of this process. Fails if the figures
// depend on the number of connections.
import Foundation
import Postgres
import Reporting
import Storage
import Time
import Timelines

struct Measurement {
    var planning: Duration
    var slowest: Duration
    var mean: Duration
    var rest: Duration

    var total: Duration { planning + slowest + rest }
}

func seconds(_ duration: Duration) -> String {
    String(format: "%.3f", Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
}

/// - Parameter atOnce: whether the connections work at once. Then only the whole time is known, as `rest`.
func measure(
    _ request: ReportRequest,
    _ connections: Int,
    atOnce: Bool,
    on address: PostgresAddress
) async throws -> (ReportTable, Measurement) {
    let pool = PostgresPool(address: address, size: connections, options: PostgresOptions(statementTimeout: nil))
    let start = ContinuousClock.now
    if atOnce {
        let table = try await ReportRunner.run(request, on: pool, connections: connections).table
        let time = ContinuousClock.now - start
        await pool.close()
        return (table, Measurement(planning: .zero, slowest: .zero, mean: .zero, rest: time))
    }
    let (table, shares) = try await ReportRunner.measure(request, on: pool, connections: connections)
    let time = ContinuousClock.now - start
    await pool.close()
    guard shares.count == connections else { fatalError("only \(shares.count) connections have joined") }
    let work = shares.reduce(Duration.zero) { $0 + $1.planning + $1.folding }
    let measurement = Measurement(
        planning: shares.map(\.planning).max() ?? .zero,
        slowest: shares.map(\.folding).max() ?? .zero,
        mean: shares.reduce(Duration.zero) { $0 + $1.folding } / connections,
        rest: time - work
    )
    return (table, measurement)
}

/// The most memory that this process has had so far, in MB. Only Linux tells it.
func peakMemory() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropLast().last.flatMap { Int($0) } ?? 0) / 1024
}

/// Removes an option and its value.
func option(_ name: String, from arguments: inout [String]) -> String? {
    guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(place...place + 1) }
    return arguments[place + 1]
}

var arguments = Array(CommandLine.arguments.dropFirst())
let counts = (option("--connections", from: &arguments) ?? "1,2,4,8,16").split(separator: ",").compactMap { Int($0) }
let runs = option("--runs", from: &arguments).flatMap { Int($0) } ?? 3
let atOnce = arguments.contains("--at-once")
arguments.removeAll { $0 == "--at-once" }
guard arguments.count >= 3 else { fatalError("report-shares DATABASE_URL APP REPORT [NAME=VALUE …]") }

let address = try PostgresAddress(arguments[0])
let lookup = PostgresPool(address: address, size: 1)
let app = try await AppStore(pool: lookup).app(id: arguments[1])
await lookup.close()
let request = try ReportRequest.parse(
    name: arguments[2],
    parameters: arguments.dropFirst(3).map { text in
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return (name: parts[0], value: parts.count > 1 ? parts[1] : "true")
    },
    origin: .http,
    app: app,
    now: .now
)

print("\n\(arguments.dropFirst(2).joined(separator: " ")): seconds, medians of \(runs)\n")
if atOnce {
    print("| connections | together | speed-up | memory so far, MB |\n|---|---|---|---|")
} else {
    print("| connections | plan | buckets, slowest | mean | slowest ÷ mean | the rest | together | speed-up |")
    print("|---|---|---|---|---|---|---|---|")
}
let (expected, _) = try await measure(request, 1, atOnce: true, on: address)
var first: Double?
for count in counts {
    var measurements: [Measurement] = []
    for _ in 0..<runs {
        let (table, measurement) = try await measure(request, count, atOnce: atOnce, on: address)
        guard table == expected else { fatalError("other figures with \(count) connections") }
        measurements.append(measurement)
    }
    let median = measurements.sorted { $0.total < $1.total }[runs / 2]
    let base = first ?? median.total / .seconds(1)
    first = base
    let speedUp = String(format: "%.1f", base / (median.total / .seconds(1)))
    if atOnce {
        print("| \(count) | \(seconds(median.total)) | \(speedUp) | \(peakMemory()) |")
    } else {
        print(
            "| \(count) | \(seconds(median.planning)) | \(seconds(median.slowest)) | \(seconds(median.mean)) | "
                + String(format: "%.2f", median.slowest / median.mean)
                + " | \(seconds(median.rest)) | \(seconds(median.total)) | \(speedUp) |"
        )
    }
}
