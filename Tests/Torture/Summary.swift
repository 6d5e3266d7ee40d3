/// The result as a table.
struct Summary {
    let seconds: Int
    let seed: UInt64
    let counts: Ledger.Counts
    let faults: [FaultKind: Int]
    /// Kinds that could not be injected here, and why.
    let skipped: [FaultKind: String]
    /// The number of requests that the daemons report as lost with damaged spools.
    let reportedLost: Int
    let complaints: [String]
    let verification: Verification

    var isClean: Bool { verification.isClean && complaints.isEmpty && counts.wrong == 0 }

    var text: String {
        var rows: [(String, String)] = [
            ("seconds", "\(seconds)"),
            ("seed", "\(seed)"),
            ("requests sent", "\(counts.requests)"),
            ("events sent, repeats included", "\(counts.sent)"),
            ("batches sent again", "\(counts.resent)"),
            ("batches sent again with other content", "\(counts.resentOtherwise)"),
            ("requests without an answer", "\(counts.unanswered)"),
        ]
        for (status, count) in counts.answers.sorted(by: { $0.key < $1.key }) {
            rows.append(("requests answered with \(status)", "\(count)"))
        }
        rows.append(("events answered", "\(counts.answered200 + counts.answered202)"))
        rows.append(("  first with 200, in the database", "\(counts.answered200)"))
        rows.append(("  first with 202, in the spool", "\(counts.answered202)"))
        rows.append(("faults injected", "\(faults.values.reduce(0, +)) of \(faults.count) kinds"))
        for kind in FaultKind.allCases {
            rows.append(("  \(kind.rawValue)", skipped[kind].map { "SKIPPED: \($0)" } ?? "\(faults[kind] ?? 0)"))
        }
        rows.append(("events stored on a primary that lost them", "\(counts.lostWithPrimary)"))
        rows.append(("  of these, answered and not sent again", "\(verification.lostWithPrimary)"))
        rows.append(("requests reported as lost with damaged spools", "\(reportedLost)"))
        rows.append(("  events answered in them, and not sent again", "\(verification.lostWithSpool)"))
        rows.append(("events stored", "\(verification.stored)"))
        rows.append(("lost", "\(verification.lost.count)"))
        rows.append(("doubled", "\(verification.doubled.count)"))
        rows.append(("unknown", "\(verification.unknown.count)"))
        rows.append(("wrong answers", "\(counts.wrong)"))
        rows.append(("programs that did not end well", "\(complaints.count)"))
        let width = rows.map(\.0.count).max() ?? 0
        var lines = rows.map { $0.0 + String(repeating: " ", count: width + 2 - $0.0.count) + $0.1 }
        lines += complaints + counts.wrongExamples.map { "wrong answer: \($0)" }
        for (word, ids) in [
            ("lost", verification.lost), ("doubled", verification.doubled), ("unknown", verification.unknown),
        ] {
            lines += ids.prefix(50).map { "\(word): \($0)" }
        }
        return lines.joined(separator: "\n")
    }
}
