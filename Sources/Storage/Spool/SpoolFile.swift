import Foundation
import GRDB
import Logging

/// An open SQLite file of a spool, with its ledger.
struct SpoolFile: Sendable {
    let database: DatabaseQueue
    let ledger: SpoolLedger
    var contents: Contents

    struct Contents: Sendable {
        var depth: SpoolDepth
        /// SQLite's `data_version`: it changes when another connection has written to the file.
        var dataVersion: Int64?
        var unreadable: Int
        var origin: DatabaseIdentity?
        /// Whether delivered requests are still in the file.
        var holdsRemains: Bool
    }

    static func ledgerPath(_ path: String) -> String { path + ".ledger" }

    /// Opens the file, or creates it. A damaged one is set aside before, and a new one takes its place.
    ///
    /// The caller holds the spool's lock.
    static func open(path: String, logger: Logger) throws -> SpoolFile {
        do {
            return try openSound(path, SpoolLedger(path: ledgerPath(path)))
        } catch {
            guard let damage = SpoolDamage(error) else { throw error }
            return try replace(path, SpoolLedger.note(at: ledgerPath(path)), because: damage, logger: logger)
        }
    }

    /// Sets a damaged file aside and creates another. No connection to it may be open.
    ///
    /// - Parameter note: of the ledger, which may lack a file that can be written; nil if nothing is known.
    static func replace(
        _ path: String,
        _ note: SpoolLedger.Note?,
        because damage: SpoolDamage,
        logger: Logger
    ) throws -> SpoolFile {
        let aside = try DamagedSpool.setAside(path)
        logger.error(
            "a spool file is damaged and was set aside; its sound requests will be delivered",
            metadata: [
                "reason": "\(damage)", "file": "\(aside.path)",
                "requests": "\(note.map { "\($0.waiting)" } ?? "unknown")",
            ]
        )
        let ledger = SpoolLedger(path: ledgerPath(path))
        // Positions go on: a removal that is under way must not meet new requests.
        if let note {
            ledger.update { $0 = SpoolLedger.Note(highest: note.highest, delivered: note.highest, base: note.highest) }
        }
        return try openSound(path, ledger)
    }

    private static func openSound(_ path: String, _ ledger: SpoolLedger) throws -> SpoolFile {
        try check(path, ledger)
        // SQLite gives its log files the permissions of this file.
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        do {
            return try connect(path, ledger, sharing: true)
        } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY && SpoolDamage(error) == nil {
            // On a full disk, there may be no room for the memory that connections share. One that shares the file with
            // nobody needs none.
            return try connect(path, ledger, sharing: false)
        }
    }

    /// Looks for damage before SQLite writes: it silently drops the end of a log whose checksums do not fit.
    private static func check(_ path: String, _ ledger: SpoolLedger) throws {
        let note = ledger.note
        let isEmpty = size(path) == 0
        if isEmpty, note.waiting > 0 || (!ledger.isKnown && size(path + "-wal") > 32) {
            throw SpoolDamage("the file is missing or empty")
        }
        guard !isEmpty else { return }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        do {
            try DatabaseQueue(path: path, configuration: configuration).read { database in
                try verify(database, ledger)
            }
        } catch {
            // Other reasons, such as a full disk, are for the connection that writes to meet.
            if let damage = SpoolDamage(error) { throw damage }
        }
    }

    /// Compares the requests in the file with the ledger.
    private static func verify(_ database: Database, _ ledger: SpoolLedger) throws {
        let note = ledger.note
        guard try database.tableExists("batch") else {
            // SQLite creates all tables of a new file in one transaction.
            if note.waiting > 0 { throw SpoolDamage("the file has no requests") }
            return
        }
        let highest = try bounds(database).highest
        let start = max(note.delivered, note.base)
        if highest < note.highest, note.waiting > 0 {
            throw SpoolDamage("the last \(note.highest - max(highest, note.delivered)) requests are missing")
        }
        let depth = try SpoolDepth.read(database, after: start)
        let missing = max(0, highest - start) - Int64(depth.batches)
        if ledger.isKnown, missing != 0 { throw SpoolDamage("\(missing) requests are missing") }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// - Returns: the position of the last request that was ever appended, and the first position in the file.
    private static func bounds(_ database: Database) throws -> (highest: Int64, lowest: Int64?) {
        guard let row = try Row.fetchOne(database, sql: StoredSQL.readSpoolBounds) else { return (0, nil) }
        let highest = Int64.fromDatabaseValue(row["highest"]) ?? 0
        let lowest = Int64.fromDatabaseValue(row["lowest"])
        let last = Int64.fromDatabaseValue(row["last"]) ?? highest
        guard (0..<1 << 60).contains(highest), last <= highest, lowest ?? 1 > 0 else {
            throw SpoolDamage("its positions are wrong")
        }
        return (highest, lowest)
    }

    private static func connect(_ path: String, _ ledger: SpoolLedger, sharing: Bool) throws -> SpoolFile {
        var configuration = Configuration()
        configuration.label = "spool"
        // `tributary` may remove a person's events from the file at the same time (SpoolFolder).
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            if !sharing { try database.execute(sql: "pragma locking_mode = exclusive") }
            // An answered event must survive a loss of power, and nothing of a deleted one may stay in the file. GRDB's
            // own setting of this mode would reduce `synchronous` afterwards, and needs room.
            try database.execute(
                sql: "pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on"
            )
        }
        let database = try DatabaseQueue(path: path, configuration: configuration)
        do {
            try database.write { database in
                // Needs no room if the tables exist.
                try database.execute(sql: StoredSQL.createSpool)
                if !sharing { try verify(database, ledger) }
            }
            do {
                try database.write { try Spool.takeBackUnreadable($0) }
            } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_ABORT].contains(error.resultCode) {
                // They stay where they are until there is room.
            }
            let (contents, note) = try database.write { database in
                try read(database, ledger.note, isKnown: ledger.isKnown)
            }
            // After the commit: the ledger is never ahead of the file.
            ledger.update { $0 = note }
            return SpoolFile(database: database, ledger: ledger, contents: contents)
        } catch {
            try? database.close()
            throw error
        }
    }

    /// - Parameters:
    ///   - note: of the ledger.
    ///   - isKnown: whether the ledger existed.
    /// - Returns: what the file holds, and what the ledger must note of it.
    private static func read(
        _ database: Database,
        _ note: SpoolLedger.Note,
        isKnown: Bool
    ) throws -> (Contents, SpoolLedger.Note) {
        let (highest, lowest) = try bounds(database)
        if highest < note.highest {
            try database.execute(sql: StoredSQL.forgetSpoolPositions)
            try database.execute(sql: StoredSQL.continueSpool, arguments: [note.highest])
        }
        var note = note
        note.highest = max(note.highest, highest)
        if !isKnown, note.base == 0 {
            note.base = note.highest
            note.delivered = (lowest ?? note.highest + 1) - 1
        }
        let origin = try Spool.readOrigin(database)
        note.origin = origin ?? note.origin
        let contents = Contents(
            depth: try SpoolDepth.read(database, after: note.delivered),
            dataVersion: try Int64.fetchOne(database, sql: "pragma data_version"),
            unreadable: try Spool.countUnreadable(database),
            origin: origin,
            holdsRemains: lowest.map { $0 <= note.delivered } ?? false
        )
        return (contents, note)
    }
}
