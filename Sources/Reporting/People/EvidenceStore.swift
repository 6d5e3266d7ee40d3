import Timelines

/// The evidence of many people. Beyond a limit, it is in a temporary file; if there is no room for the file, in memory.
struct EvidenceStore {
    private enum Piece {
        case kept([Evidence])
        case stored(offset: Int, count: Int)
    }

    /// 2.5 MB.
    static let pieceSize = 32_768
    /// How many pieces stay in memory: 10 MB.
    private static let keptPieces = 4

    private let file = TemporaryFile()
    private let pieceSize: Int
    private var pieces: [Piece] = []
    private var last: [Evidence] = []

    /// - Parameter pieceSize: how many are read and written at once.
    init(pieceSize: Int = pieceSize) {
        self.pieceSize = pieceSize
    }

    mutating func append(_ evidence: Evidence) {
        last.append(evidence)
        if last.count == pieceSize { endPiece() }
    }

    /// Adds a sorted part, which ``forEachPiece(from:_:)`` and ``read(_:)`` hand out whole.
    private mutating func endPiece() {
        if pieces.count >= Self.keptPieces, let offset = file.append(last) {
            pieces.append(.stored(offset: offset, count: last.count))
            last.removeAll(keepingCapacity: true)
        } else {
            pieces.append(.kept(last))
            last = []
        }
    }

    /// - Throws: `TimelineError.lostTemporaryFile`.
    private func evidence(of piece: Piece) throws(TimelineError) -> [Evidence] {
        switch piece {
        case .kept(let evidence): evidence
        case .stored(let offset, let count): try file.read(count, at: offset)
        }
    }

    /// Hands out all evidence in the order of its arrival.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    func forEach(_ body: (Evidence) -> Void) throws {
        for piece in pieces { try evidence(of: piece).forEach(body) }
        last.forEach(body)
    }

    /// Writes what a sorted run has left; the pieces of a run follow each other.
    ///
    /// - Returns: the positions of its pieces.
    fileprivate mutating func append(run: [Evidence]) -> Range<Int> {
        let first = pieces.count
        var begin = 0
        while begin < run.count {
            let end = min(begin + pieceSize / 8, run.count)
            last = Array(run[begin..<end])
            endPiece()
            begin = end
        }
        return first..<pieces.count
    }

    /// - Throws: `TimelineError.lostTemporaryFile`.
    fileprivate func piece(_ position: Int) throws(TimelineError) -> [Evidence] {
        try evidence(of: pieces[position])
    }
}

/// Evidence in the order of a list: row by row, then by time. Sorts what is too much for memory in runs, and merges
/// them.
struct SortedEvidence {
    /// The next evidence of a run.
    private struct Run {
        var pieces: Range<Int>
        var evidence: [Evidence] = []
        var position = 0

        var head: Evidence? { position < evidence.count ? evidence[position] : nil }
    }

    /// 21 MB.
    static let runSize = 8 * EvidenceStore.pieceSize

    private var store: EvidenceStore
    private var runs: [Run] = []

    /// - Parameters:
    ///   - all: in the order of people.
    ///   - positions: the position of each group's row, by the group's number; −1 to leave it out.
    ///   - runSize: how many are sorted at once.
    /// - Throws: `TimelineError.lostTemporaryFile`.
    init(_ all: EvidenceStore, in positions: [Int32], runSize: Int = runSize) throws {
        var store = EvidenceStore()
        var runs: [Run] = []
        var sorted: [Evidence] = []
        /// The evidence of the current person: one for each row.
        var own: [Evidence] = []
        func endPerson() {
            sorted += own
            own.removeAll(keepingCapacity: true)
            guard sorted.count >= runSize else { return }
            sorted.sort(by: Evidence.precedes)
            runs.append(Run(pieces: store.append(run: sorted)))
            sorted.removeAll(keepingCapacity: true)
        }
        try all.forEach { evidence in
            if let last = own.last, last.person != evidence.person { endPerson() }
            var evidence = evidence
            evidence.group = positions[Int(evidence.group)]
            guard evidence.group >= 0 else { return }
            // Several groups may share a row, in which a person counts once.
            if let known = own.firstIndex(where: { $0.group == evidence.group }) {
                own[known] += evidence
            } else {
                own.append(evidence)
            }
        }
        endPerson()
        sorted.sort(by: Evidence.precedes)
        self.store = store
        self.runs = runs + [Run(pieces: 0..<0, evidence: sorted)]
        for position in self.runs.indices { try load(position) }
    }

    private mutating func load(_ position: Int) throws {
        guard runs[position].head == nil, let next = runs[position].pieces.first else { return }
        runs[position].pieces.removeFirst()
        runs[position].evidence = try store.piece(next)
        runs[position].position = 0
    }

    /// The next person of a row; nil at the end.
    ///
    /// - Throws: `TimelineError.lostTemporaryFile`.
    mutating func next() throws -> Evidence? {
        var first: (run: Int, head: Evidence)?
        for (position, run) in runs.enumerated() {
            guard let head = run.head else { continue }
            if let known = first, !Evidence.precedes(head, known.head) { continue }
            first = (position, head)
        }
        guard let first else { return nil }
        runs[first.run].position += 1
        try load(first.run)
        return first.head
    }
}
