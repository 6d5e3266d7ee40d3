import Events
import Postgres
import Storage

/// Rows of a delta whose people are devices. They wait, as they came, until the delta is read: only then can the
/// connection look up the users of the devices. Many of them wait in a temporary file; if there is no room for it, in
/// memory.
struct DeviceRows: ~Copyable {
    /// Some rows, each after its size in 4 bytes.
    private enum Block {
        case kept([UInt8])
        case stored(offset: Int, size: Int)
    }

    private let file = TemporaryFile()
    private let blockSize: Int
    private let devicesAtOnce: Int
    private var blocks: [Block] = []
    private var rows: [UInt8] = []
    private var fieldCount = 0

    /// - Parameters:
    ///   - blockSize: how many bytes stay in memory.
    ///   - devicesAtOnce: how many devices are looked up together, beside those of one block more.
    init(blockSize: Int = 1 << 20, devicesAtOnce: Int = 50_000) {
        self.blockSize = blockSize
        self.devicesAtOnce = devicesAtOnce
    }

    /// The id of the device that is the person of a row of `sql/timelines/delta.sql`; nil for another person.
    static func device(of row: PostgresCopyRow) throws -> UnsafeRawBufferPointer? {
        var row = row
        try row.skip()
        guard let person = try row.nextUnsafeBytes(), person.first == UInt8(ascii: "d") else { return nil }
        return UnsafeRawBufferPointer(rebasing: person.dropFirst())
    }

    /// - Parameter row: of which no field was read.
    mutating func append(_ row: PostgresCopyRow) {
        fieldCount = row.fieldCount
        rows.append(number: UInt32(row.unreadBytes.count))
        rows.append(contentsOf: row.unreadBytes)
        if rows.count >= blockSize { endBlock() }
    }

    private mutating func endBlock() {
        let offset = file.append(rows)
        blocks.append(offset.map { .stored(offset: $0, size: rows.count) } ?? .kept(rows))
        rows.removeAll(keepingCapacity: true)
    }

    /// Hands out all rows, with the users of their devices.
    consuming func forEachRow(
        of app: App,
        hash: KeyedHash,
        on connection: isolated PostgresConnection,
        _ body: (inout PostgresCopyRow, _ users: ChangedLinks) throws -> Void
    ) throws {
        if !rows.isEmpty { endBlock() }
        var next = 0
        while next < blocks.count {
            let first = next
            var known: Set<PersonHash> = []
            var devices: [String] = []
            while next < blocks.count, devices.count < devicesAtOnce {
                try forEachRow(in: blocks[next]) { row in
                    guard let device = try Self.device(of: row), let person = try PersonHash(reading: &row, hash),
                        known.insert(person).inserted
                    else { return }
                    devices.append(String(decoding: device, as: UTF8.self))
                }
                next += 1
            }
            let users = try users(of: devices, app: app, hash: hash, on: connection)
            for block in blocks[first..<next] { try forEachRow(in: block) { try body(&$0, users) } }
        }
    }

    private func users(
        of devices: [String],
        app: App,
        hash: KeyedHash,
        on connection: isolated PostgresConnection
    ) throws -> ChangedLinks {
        func person(_ row: PostgresRow, _ column: Int) throws -> PersonHash {
            let low = try row.bytes(column + 1).withUnsafeBytes { hash($0) }
            return PersonHash(high: UInt64(bitPattern: try row.int64(column)), low: low)
        }
        let parameters = [PostgresValue.int(Int64(app.number)), .textArray(devices.sorted())]
        let rows = try connection.query(TimelineSQL.deviceUsers, parameters)
        return ChangedLinks(try rows.map { (key: try person($0, 0), person: try person($0, 2)) })
    }

    private func forEachRow(in block: Block, _ body: (inout PostgresCopyRow) throws -> Void) throws {
        let bytes =
            switch block {
            case .kept(let bytes): bytes
            case .stored(let offset, let size): try file.read(size, at: offset) as [UInt8]
            }
        try bytes.withUnsafeBytes { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd {
                let row = cursor.nextBytes(Int(cursor.next(UInt32.self)))
                if cursor.isBroken { throw TimelineError.lostTemporaryFile("it is damaged") }
                var fields = PostgresCopyRow(fieldCount: fieldCount, bytes: row)
                try body(&fields)
            }
        }
    }
}
