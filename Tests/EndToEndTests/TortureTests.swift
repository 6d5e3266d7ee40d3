import Foundation
import RandomTesting
import Testing

/// A short `make torture`: it shows that the torture runs, and that two faults, others on each day, lose nothing. The
/// nightly run causes faults of all kinds.
@Suite("Torture")
struct TortureTests {
    @Test func losesNothingAndStoresNothingTwice() async throws {
        let faults = 2 * Int(TestSeeds.samples)
        let seed = "\(TestSeeds.first)"
        let process = Process()
        process.executableURL = Programs.url(of: "torture")
        process.arguments = ["--seconds", "20", "--faults", "\(faults)", "--seed", seed, "--senders", "4"]
        let (output, log) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = log
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let logged = LogCollector(log.fileHandleForReading)
        let text = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? output.fileHandleForReading.readToEnd()) ?? nil
                process.waitUntilExit()
                continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
            }
        }
        #expect(process.terminationStatus == 0, "seed \(seed)\n\(text)\n\(logged.text)")
        let rows = Dictionary(
            text.split(separator: "\n").compactMap { line -> (String, String)? in
                let parts = line.split(separator: "  ", omittingEmptySubsequences: true)
                return parts.count == 2 ? (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)) : nil
            },
            uniquingKeysWith: { first, _ in first }
        )
        for name in ["lost", "doubled", "unknown"] { #expect(rows[name] == "0", "\(name), seed \(seed)") }
        #expect(try #require(rows["events answered"].flatMap { Int($0) }) > 0)
        // "12 of 10 kinds"
        let kinds = try #require(rows["faults injected"]?.split(separator: " ").dropFirst(2).first.flatMap { Int($0) })
        // Each kind is injected once before any is injected again.
        #expect(kinds >= min(faults, 5))
    }
}
