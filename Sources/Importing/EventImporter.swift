import Events
package import InboundLinks
package import Redirects
package import Storage
import Time

/// Stores the events of files, each once, even if an import is interrupted or repeated.
///
/// The transaction that stores events also records how far their file was read. Events without an id get one that
/// depends on their place in the file (``SourceFingerprint``). So nothing is stored twice, even without that record.
package struct EventImporter {
    /// The settings of an import.
    package struct Settings: Sendable {
        /// Older events are rejected.
        package var retention: Duration
        /// The mapping of CSV files; nil for NDJSON.
        package var mapping: ImportMapping?
        /// Whether files are read from their beginning, even if they were imported before.
        package var readsAgain = false
        /// The path of the file that rejected lines are written to.
        package var rejectedFile: String?
        /// The short links that touches may have come through.
        package var links = LinkTable()
        /// Tells the app's own rules, which may change meanwhile. Asked before every batch.
        package var rules: @Sendable () async throws -> ReadingRules = { .none }

        package init(retention: Duration = EventLimits.defaultRetention, mapping: ImportMapping? = nil) {
            self.retention = retention
            self.mapping = mapping
        }
    }

    /// Where events go.
    package struct Destination: Sendable {
        let writer: EventWriter
        let checkpoints: ImportCheckpointStore

        /// - Parameter writer: must be running.
        package init(writer: EventWriter, checkpoints: ImportCheckpointStore) {
            self.writer = writer
            self.checkpoints = checkpoints
        }
    }

    /// A file, and how far it was imported.
    private struct Plan {
        var path: String
        var source: EventID?
        var checkpoint: ImportCheckpoint?
        /// Bytes on disk.
        var size: Int?
        /// Whether the file has no line.
        var isEmpty = false
    }

    /// A batch on its way into the database.
    private struct Delivery: Sendable {
        var file: String
        var submission: Submission
        /// The line of each event.
        var lines: [Int]
    }

    /// The bytes at the beginning of a file that identify it.
    private static let headBytes = 64 << 10
    /// If so many first lines are wrong in the same way, so are probably all.
    private static let telltaleLines = 100
    /// Events in one transaction. One transaction commits while the next one is read.
    private static let eventsAtOnce = 10_000

    private let app: App
    private let settings: Settings
    private let destination: Destination?
    private let tell: (ImportNotice) -> Void

    private var rejectedFile: RejectedLineFile?
    package private(set) var tally = ImportTally()
    private var deliveries: [Delivery] = []
    private var totalBytes: Int?
    private var doneBytes = 0

    /// - Parameters:
    ///   - destination: nil for a dry run, which stores nothing.
    ///   - tell: gets the notices of the import.
    package init(
        app: App,
        settings: Settings,
        destination: Destination?,
        tell: @escaping (ImportNotice) -> Void = { _ in }
    ) {
        self.app = app
        self.settings = settings
        self.destination = destination
        self.tell = tell
    }

    /// Imports files, one after the other; `-` is standard input.
    ///
    /// - Throws: `ImportError`, `EventWriterError`, `PostgresError`. Committed events stay, and the next run continues
    ///   after them.
    package mutating func run(_ paths: [String]) async throws {
        // Open all files first, so that a missing one stops the import before it begins.
        var plans: [Plan] = []
        for path in paths { plans.append(try await plan(path)) }
        totalBytes = plans.reduce(Optional(0)) { sum, plan in sum.flatMap { sum in plan.size.map { sum + $0 } } }
        if let path = settings.rejectedFile {
            let kept = plans.compactMap { plan in plan.checkpoint.map { (plan.path, $0.line) } }
            rejectedFile = try RejectedLineFile(path: path, keeping: Dictionary(kept) { max($0, $1) })
        }
        for plan in plans { try await importFile(plan) }
    }

    // MARK: - Files

    private func plan(_ path: String) async throws -> Plan {
        guard path != "-" else { return Plan(path: path) }
        let input = try ImportInput(path: path)
        guard input.isResumable else { return Plan(path: path, size: input.size) }
        let start = try input.start(Self.headBytes)
        let isEmpty = try isEmpty(start, input.name)
        guard let destination else { return Plan(path: path, size: input.size, isEmpty: isEmpty) }
        let source = source(ofHead: start.bytes[...])
        var plan = Plan(path: path, source: source, size: input.size, isEmpty: isEmpty)
        if !settings.readsAgain {
            plan.checkpoint = try await destination.checkpoints.checkpoint(of: source, app: app)
        }
        return plan
    }

    /// Whether a file has no line.
    ///
    /// - Throws: `ImportError.unusableInput` if its beginning shows that it cannot be imported.
    private func isEmpty(_ start: (bytes: [UInt8], isWhole: Bool), _ file: String) throws(ImportError) -> Bool {
        let lines = WrongLines(start: start.bytes, isWhole: start.isWhole)
        if lines.isEmpty { return true }
        var advice = ForeignFormat.advice(for: start.bytes)
        if settings.mapping != nil {
            advice = advice ?? ForeignFormat.binaryAdvice(for: start.bytes) ?? lines.adviceForCSV
        } else if advice == nil, let wrong = lines.adviceForNDJSON {
            advice = ForeignFormat.binaryAdvice(for: start.bytes) ?? wrong
        }
        if let advice { throw .unusableInput("\(file) \(advice)") }
        return false
    }

    /// Identifies a file by its beginning, the mapping and the retention. With another mapping or retention, lines that
    /// were rejected may be valid, so the file counts as another one.
    private func source(ofHead head: ArraySlice<UInt8>) -> EventID {
        let retention = String(settings.retention.components.seconds)
        return EventID(naming: [Array(retention.utf8), settings.mapping?.fingerprint ?? [], Array(head)])
    }

    private func content(of path: String) -> any ImportContent {
        guard let mapping = settings.mapping else { return LineContent(file: path, appID: app.profile.id) }
        return RowContent(file: path, mapping: mapping, appID: app.profile.id)
    }

    private mutating func importFile(_ plan: Plan) async throws {
        let input = try ImportInput(path: plan.path)
        let file = input.name
        let isEmpty = input.isResumable ? plan.isEmpty : try isEmpty(input.start(Self.headBytes), file)
        if isEmpty {
            tally.emptyFiles += 1
            tell(.isEmpty(file: file))
        }
        var content = content(of: file)
        var rejected = 0
        if let checkpoint = plan.checkpoint {
            if try skip(to: checkpoint, of: input, content) {
                rejected = checkpoint.rejected
                if !checkpoint.isFinished { tell(.resumes(file: file, line: checkpoint.line)) }
            } else {
                tell(.hasChanged(file: file, line: checkpoint.line))
                try rejectedFile?.drop(file: file)
                input.rewind()
                content = self.content(of: file)
            }
        }
        let firstLine = content.line
        let isOldNews = plan.checkpoint?.isFinished == true && firstLine > 0
        try await withThrowingTaskGroup(of: [(Delivery, WriteReceipt)].self) { group in
            var isAtEnd = false
            var isFirst = true
            while !isAtEnd {
                var batch: ImportBatch? = ImportBatch()
                isAtEnd = try fill(&batch, of: content, from: input)
                guard let batch else { break }
                if isAtEnd, batch.isEmpty, isOldNews, content.line == firstLine {
                    tell(.isDone(file: file, lines: content.line, rejected: rejected))
                    break
                }
                let rules = destination == nil ? .none : try await settings.rules()
                let decoded = try decode(batch, of: content, rules)
                if isFirst, firstLine == 0 { try checkKind(of: decoded, file) }
                isFirst = false
                rejected += decoded.rejected.count
                try tellRejected(decoded.rejected, file)
                tally.skipped += batch.skipped
                // A dry run knows no keys.
                tally.count(decoded.warnings.filter { destination != nil || $0.code != .metaKeyMissing })
                guard destination != nil else {
                    tellEvents(decoded, of: batch)
                    continue
                }
                var delivery = Delivery(file: file, submission: submission(decoded, rules), lines: decoded.lines)
                delivery.submission.checkpoint = plan.source.map { source in
                    ImportCheckpoint(
                        source: source,
                        byteOffset: content.offset,
                        line: content.line,
                        fingerprint: content.fingerprint.bytes,
                        rejected: rejected,
                        isFinished: isAtEnd
                    )
                }
                deliveries.append(delivery)
                let waiting = deliveries.reduce(0) { $0 + $1.lines.count + $1.submission.rejections.count }
                if waiting >= Self.eventsAtOnce || isAtEnd {
                    if let stored = try await group.next() { try count(stored) }
                    deliver(in: &group)
                }
                showProgress(input)
            }
            while let stored = try await group.next() { try count(stored) }
        }
        doneBytes += input.bytesRead
    }

    /// Reads up to the checkpoint of the last import.
    ///
    /// - Returns: false if the content up to there has changed.
    private func skip(
        to checkpoint: ImportCheckpoint,
        of input: ImportInput,
        _ content: any ImportContent
    ) throws -> Bool {
        var nothing: ImportBatch?
        while content.offset < checkpoint.byteOffset {
            if try content.read(into: &nothing) { continue }
            guard let piece = try input.next() else {
                content.finish()
                while content.offset < checkpoint.byteOffset, try content.read(into: &nothing) {}
                break
            }
            content.append(piece)
        }
        return content.offset == checkpoint.byteOffset && content.fingerprint.bytes == checkpoint.fingerprint
    }

    /// Fills a batch. Returns true at the end of the content.
    private func fill(
        _ batch: inout ImportBatch?,
        of content: any ImportContent,
        from input: ImportInput
    ) throws -> Bool {
        while batch?.isFull == false {
            if try content.read(into: &batch) { continue }
            guard let piece = try input.next() else {
                content.finish()
                while batch?.isFull == false {
                    guard try content.read(into: &batch) else { return true }
                }
                return false
            }
            content.append(piece)
        }
        return false
    }

    // MARK: - Events

    private func decode(
        _ batch: ImportBatch,
        of content: any ImportContent,
        _ rules: ReadingRules
    ) throws -> DecodedImport {
        let decoder = BatchDecoder(
            appID: app.profile.id,
            receivedAt: .now,
            retention: settings.retention,
            rules: rules
        )
        return try batch.decoded(by: decoder, columns: content.columns)
    }

    /// Stops if the first lines of a file are all wrong in the same way, and are probably something else than events.
    private func checkKind(of decoded: DecodedImport, _ file: String) throws(ImportError) {
        guard decoded.events.isEmpty, let first = decoded.rejected.first,
            decoded.rejected.count >= Self.telltaleLines, first.concernsForm,
            decoded.rejected.allSatisfy({ $0.code == first.code && $0.field == first.field })
        else { return }
        throw .unusableInput(
            "\(file): none of the first \(decoded.rejected.count) lines is an event, all for the same reason;"
                + " nothing of the file was stored. \(first.description)"
        )
    }

    private func submission(_ decoded: DecodedImport, _ rules: ReadingRules) -> Submission {
        let links = ShortLinkJoin(settings.links, appID: app.profile.id)
        var submission = Submission(
            appNumber: app.number,
            keyPrefix: "import",
            receivedAt: .now,
            events: decoded.events.map(links.joined),
            rejections: decoded.rejections,
            rulesVersion: rules.version
        )
        submission.rejectionIDs = decoded.rejectionIDs
        return submission
    }

    private mutating func deliver(in group: inout ThrowingTaskGroup<[(Delivery, WriteReceipt)], any Error>) {
        guard let destination, !deliveries.isEmpty else { return }
        let sent = deliveries
        deliveries = []
        group.addTask {
            let receipts = try await destination.writer.store(contentsOf: sent.map(\.submission))
            return Array(zip(sent, receipts))
        }
    }

    private mutating func count(_ stored: [(Delivery, WriteReceipt)]) throws {
        for (delivery, receipt) in stored {
            tally.accepted += delivery.lines.count - receipt.duplicates - receipt.refused.count
            tally.duplicates += receipt.duplicates
            let refused = receipt.refused.map { index in
                RejectedLine(refused: delivery.submission.events[index], line: delivery.lines[index])
            }
            try tellRejected(refused, delivery.file)
        }
    }

    // MARK: - Notices

    private mutating func tellRejected(_ rejected: [RejectedLine], _ file: String) throws {
        try rejectedFile?.append(rejected, file: file)
        for line in rejected {
            tally.rejected[line.code, default: 0] += 1
            tell(.rejected(file: file, line))
        }
    }

    private mutating func tellEvents(_ decoded: DecodedImport, of batch: ImportBatch) {
        tally.accepted += decoded.events.count
        let lines = batch.lines
        for (position, event) in zip(decoded.positions, decoded.events) {
            tell(.event(StoredText.sentEvent(lines[position], of: event.type)))
        }
    }

    private func showProgress(_ input: ImportInput) {
        let fraction = totalBytes.map { $0 > 0 ? min(1, Double(doneBytes + input.bytesRead) / Double($0)) : 1 }
        tell(.progress(events: tally.accepted + tally.duplicates + tally.rejectedCount, fraction: fraction))
    }
}
