import Events
import Foundation
import InboundLinks
import Storage

/// Decodes and stores the events of files, and counts what became of them.
struct EventImporter {
    /// Submissions that wait for a commit while the next lines are read.
    private static let submissionsInFlight = 4
    /// Rejections told one by one; the rest is only counted.
    private static let shownRejections = 20

    let app: App
    let writer: EventWriter
    private var accepted = 0
    private var duplicates = 0
    private var rejected: [String: Int] = [:]
    private var shown = 0

    init(app: App, writer: EventWriter) {
        self.app = app
        self.writer = writer
    }

    var rejectedCount: Int { rejected.values.reduce(0, +) }

    var summary: String {
        var lines = ["accepted: \(accepted)", "duplicates: \(duplicates)", "rejected: \(rejectedCount)"]
        for (code, count) in rejected.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            lines.append("  \(code): \(count)")
        }
        return lines.joined(separator: "\n")
    }

    mutating func run(_ files: [ImportFile]) async throws {
        try await writer.whileRunning { try await store(files) }
    }

    private mutating func store(_ files: [ImportFile]) async throws {
        let total = files.reduce(Optional(0)) { sum, file in sum.flatMap { sum in file.size.map { sum + $0 } } }
        var progress = Progress()
        var readBytes = 0
        try await withThrowingTaskGroup(of: EventWriter.Receipt.self) { group in
            var inFlight = 0
            for var file in files {
                while let piece = try file.next() {
                    for submission in try submissions(of: piece, from: file.path) {
                        if inFlight >= Self.submissionsInFlight, let receipt = try await group.next() {
                            count(receipt)
                            inFlight -= 1
                        }
                        accepted += submission.events.count
                        inFlight += 1
                        group.addTask { [writer] in try await writer.store(submission) }
                    }
                    readBytes += piece.bytes.count
                    progress.show(
                        "events",
                        done: accepted,
                        fraction: total.map { $0 > 0 ? Double(readBytes) / Double($0) : 1 }
                    )
                }
            }
            while let receipt = try await group.next() {
                count(receipt)
            }
        }
        progress.finish()
    }

    /// The events of a few lines, at most as many as a batch holds in each submission.
    private mutating func submissions(of piece: ImportFile.Piece, from path: String) throws -> [EventWriter.Submission]
    {
        let receivedAt = Timestamp.now
        let decoder = BatchDecoder(appID: app.profile.id, receivedAt: receivedAt)
        var submissions: [EventWriter.Submission] = []
        var line = piece.firstLine
        var rest = piece.bytes[...]
        while !rest.isEmpty {
            var end = rest.startIndex
            var lines = 0
            while end < rest.endIndex, lines < EventLimits.batchCount {
                end = rest[end...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
                lines += 1
            }
            do {
                let batch = try decoder.decode(rest[..<end], as: .ndjson)
                tell(batch.rejections, of: path, after: line)
                submissions.append(
                    EventWriter.Submission(
                        appNumber: app.number,
                        keyPrefix: "import",
                        receivedAt: receivedAt,
                        events: batch.events.map(\.event),
                        rejections: batch.rejections
                    )
                )
            } catch BatchError.empty {
                // Blank lines only.
            } catch {
                throw CommandFailure(.badData, "\(path), from line \(line): \(error)")
            }
            line += lines
            rest = rest[end...]
        }
        return submissions
    }

    private mutating func tell(_ rejections: [Rejection], of path: String, after line: Int) {
        for rejection in rejections {
            rejected[rejection.code.rawValue, default: 0] += 1
            shown += 1
            if shown <= Self.shownRejections {
                StandardError.write(
                    "\(path): event \(line + rejection.index): \(rejection.code.rawValue): \(rejection.message)"
                )
            } else if shown == Self.shownRejections + 1 {
                StandardError.write("further rejections are counted, and kept for 'tributary rejected list'")
            }
        }
    }

    private mutating func count(_ receipt: EventWriter.Receipt) {
        duplicates += receipt.duplicates
        accepted -= receipt.duplicates + receipt.refused.count
        if !receipt.refused.isEmpty { rejected["refused", default: 0] += receipt.refused.count }
    }
}
