import Foundation

/// The rows of an SQLite file and its write-ahead log, read from their pages without SQLite: every leaf of every table
/// that can still be recognised, whatever else in the files is damaged. Nothing is checked but the form. The same row
/// may come several times, and rows that were deleted may come too.
///
/// See https://www.sqlite.org/fileformat2.html: leaves (section 1.6), records (2.1), the log's frames (4.1).
struct SpoolPages {
    /// A row whose first column after its position is a blob.
    struct Row {
        var position: Int64
        var blob: [UInt8]
        /// The serial types of its columns.
        var types: [UInt64]
    }

    private static let frameHeader = 24
    private static let logHeader = 32
    /// No request is longer: 64 MiB. A damaged length must not fill the memory.
    private static let longest: UInt64 = 64 << 20

    private let main: FileHandle?
    private let log: FileHandle?
    private let pageSize: Int
    private let pageCount: Int
    /// The page number of each frame of the log.
    private let frames: [UInt32]
    private let framesOfPage: [UInt32: [Int]]

    init(path: String) {
        main = FileHandle(forReadingAtPath: path)
        log = FileHandle(forReadingAtPath: path + "-wal")
        let head = Self.read(main, at: 0, 100) ?? []
        let logHead = Self.read(log, at: 0, Self.logHeader) ?? []
        let sizes = [
            head.count == 100 ? Int(head[16]) << 8 | Int(head[17]) : 0,
            logHead.count == Self.logHeader ? Int(Self.integer(logHead, 8)) : 0,
        ]
        pageSize = sizes.first { (512...65_536).contains($0) && $0 & ($0 - 1) == 0 } ?? 4096
        pageCount = Int((try? main?.seekToEnd()) ?? 0) / pageSize
        let frameLength = pageSize + Self.frameHeader
        let frameCount = max(0, Int((try? log?.seekToEnd()) ?? 0) - Self.logHeader) / frameLength
        frames = (0..<frameCount).map { [log] index in
            let header = Self.read(log, at: Self.logHeader + index * frameLength, 4) ?? [0, 0, 0, 0]
            return UInt32(truncatingIfNeeded: Self.integer(header, 0))
        }
        framesOfPage = Dictionary(grouping: frames.indices, by: { [frames] in frames[$0] })
    }

    /// The pages that can be read with ``rows(_:isWanted:)``, the newest version of a page first.
    var indices: Range<Int> { 0..<(frames.count + pageCount) }

    /// The rows of a page, if it is a leaf of a table.
    ///
    /// - Parameter isWanted: whether the row is whole. A row whose content is spread over several pages comes in each
    ///   way in which its pages may belong together, until one is whole.
    func rows(_ index: Int, isWanted: (Row) -> Bool) -> [Row] {
        let frame = index < frames.count ? frames.count - 1 - index : nil
        let page =
            frame.map { framePage($0) } ?? Self.read(main, at: (index - frames.count) * pageSize, pageSize)
        return page.map { rows($0, frame: frame, isWanted) } ?? []
    }

    private func rows(_ page: [UInt8], frame: Int?, _ isWanted: (Row) -> Bool) -> [Row] {
        // The type of a leaf; the number of its cells; where each cell begins.
        guard page[0] == 0x0D else { return [] }
        let count = Int(page[3]) << 8 | Int(page[4])
        guard 8 + 2 * count <= pageSize else { return [] }
        return (0..<count).compactMap { index in
            let start = Int(page[8 + 2 * index]) << 8 | Int(page[9 + 2 * index])
            for version in [Version.before, .newest, .main] {
                if let row = row(page, start, frame: frame, version), isWanted(row) { return row }
            }
            return nil
        }
    }

    /// Which version of a page continues a row that begins in the log.
    private enum Version { case before, newest, main }

    private func row(_ page: [UInt8], _ start: Int, frame: Int?, _ version: Version) -> Row? {
        var rest = page[min(start, pageSize)...]
        guard let length = Self.varint(&rest), let position = Self.varint(&rest), length <= Self.longest else {
            return nil
        }
        let total = Int(length)
        let smallest = (pageSize - 12) * 32 / 255 - 23
        let fitting = smallest + (total - smallest) % (pageSize - 4)
        let isWhole = total <= pageSize - 35
        let local = isWhole ? total : fitting <= pageSize - 35 ? fitting : smallest
        guard local >= 0, rest.count >= local + (isWhole ? 0 : 4) else { return nil }
        var record = Array(rest.prefix(local))
        if !isWhole {
            var next = UInt32(truncatingIfNeeded: Self.integer(Array(rest.dropFirst(local).prefix(4)), 0))
            while record.count < total {
                guard let more = overflow(next, frame: frame, version) else { return nil }
                next = UInt32(truncatingIfNeeded: Self.integer(more, 0))
                record += more.dropFirst(4).prefix(total - record.count)
            }
        }
        return Self.row(Int64(bitPattern: position), record)
    }

    private static func row(_ position: Int64, _ record: [UInt8]) -> Row? {
        var rest = record[...]
        guard let headerLength = varint(&rest), headerLength <= UInt64(record.count) else { return nil }
        var header = record[..<Int(headerLength)].dropFirst(record.count - rest.count)
        var types: [UInt64] = []
        while !header.isEmpty {
            guard let type = varint(&header) else { return nil }
            types.append(type)
        }
        // The position itself is not in the record.
        guard types.count >= 2, types[0] == 0, types[1] >= 12, types[1] % 2 == 0 else { return nil }
        let length = (types[1] - 12) / 2
        let content = record[Int(headerLength)...]
        guard length <= UInt64(content.count) else { return nil }
        return Row(position: position, blob: Array(content.prefix(Int(length))), types: types)
    }

    private func overflow(_ number: UInt32, frame: Int?, _ version: Version) -> [UInt8]? {
        guard number > 0 else { return nil }
        let versions = framesOfPage[number] ?? []
        let found: Int? =
            switch version {
            case .main: nil
            case .newest: versions.last
            // The pages of one commit follow each other, in the order of their numbers.
            case .before: frame.flatMap { frame in versions.last { $0 <= frame } ?? versions.first }
            }
        if let found { return framePage(found) }
        return Self.read(main, at: (Int(number) - 1) * pageSize, pageSize)
    }

    private func framePage(_ frame: Int) -> [UInt8]? {
        let start = Self.logHeader + frame * (pageSize + Self.frameHeader) + Self.frameHeader
        return Self.read(log, at: start, pageSize)
    }

    private static func read(_ file: FileHandle?, at offset: Int, _ count: Int) -> [UInt8]? {
        guard let file else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(file.fileDescriptor, $0.baseAddress, count, off_t(offset)) }
        return read == count ? bytes : nil
    }

    private static func integer(_ bytes: [UInt8], _ start: Int) -> UInt64 {
        bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard let byte = rest.popFirst() else { return nil }
            if index == 8 { return value << 8 | UInt64(byte) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
