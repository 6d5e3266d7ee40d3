import Postgres

extension AppMove {
    /// How far the app has arrived (`app_arrival`).
    struct Arrival: Sendable {
        var number: Int32
        var copiedThrough: Int64
        var roundThrough: Int64?
        var position: Int64?
        var linksThrough: Int64
        var linkRevision: Int64?
        var isUndone: Bool
        var hasArrived: Bool
    }

    func arrival(_ ends: MovingEnds) async throws -> Arrival? {
        let parameters: [PostgresValue] = [.text(ends.sourceID.text), .int(Int64(ends.app.number))]
        return try await ends.target.run { connection in
            try connection.query(StoredSQL.selectArrival, parameters).first.map { row in
                Arrival(
                    number: Int32(try row.int(0)),
                    copiedThrough: try row.int64(1),
                    roundThrough: try row.optionalInt64(2),
                    position: try row.optionalTimestamp(3),
                    linksThrough: try row.int64(4),
                    linkRevision: try row.optionalInt64(5),
                    isUndone: try row.bool(6),
                    hasArrived: try row.bool(7)
                )
            }
        }
    }

    func departure(_ ends: MovingEnds) async throws -> AppDeparture? {
        try await ends.source.run { [number = ends.app.number] in try AppDeparture.read(of: number, on: $0) }
    }

    func checkPlace(_ ends: MovingEnds) async throws {
        let profile = ends.app.profile
        try await ends.target.run { connection in
            let known = try connection.query("select exists (select from app where app_id = $1)", [.text(profile.id)])
            if try known[0].bool(0) { throw AppMoveError.idIsTaken(profile.id) }
            let taken = try connection.query(StoredSQL.selectHostInUse, [.textArray(profile.linkHosts)])
            if let row = taken.first { throw AppMoveError.hostIsTaken(try row.text(0)) }
        }
    }

    /// Notes the move in both databases, unless it has begun.
    func begin(_ ends: MovingEnds) async throws {
        let (known, departure) = (try await arrival(ends), try await departure(ends))
        if known?.isUndone == true { throw AppMoveError.isBeingUndone }
        // What was copied then may have been deleted or redacted here since.
        if known != nil, departure == nil { throw AppMoveError.hasOldCopy }
        if let departure, departure.target != ends.targetID { throw AppMoveError.movesElsewhere }
        if departure?.hasMoved == true { throw AppMoveError.movesElsewhere }
        try await checkPlace(ends)
        if departure == nil { try await depart(ends) }
        do {
            try await ends.target.run { [id, number = ends.app.number, sourceID = ends.sourceID.text] connection in
                _ = try connection.execute(
                    StoredSQL.insertArrival,
                    [.text(id), .text(sourceID), .int(Int64(number))]
                )
            }
        } catch {
            // The other database cannot take it: nothing has begun.
            if departure == nil {
                _ = try? await ends.source.run { [number = ends.app.number, targetID = ends.targetID] in
                    try AppDeparture.takeBack(number, to: targetID, on: $0)
                }
            }
            throw error
        }
    }

    private func depart(_ ends: MovingEnds) async throws {
        let (number, targetID) = (ends.app.number, ends.targetID.text)
        try await ends.source.run { connection in
            // What rewrites events finds the departure, or has ended.
            let begins = try connection.withAdvisoryLockIfFree("tributary redaction") {
                try connection.withAdvisoryLockIfFree("tributary reread \(number)") {
                    let isRereading = "select exists (select from reread where app_number = $1 and finished_at is null)"
                    guard try !connection.query(isRereading, [.int(Int64(number))])[0].bool(0) else { return false }
                    try connection.execute(StoredSQL.insertDeparture, [.int(Int64(number)), .text(targetID)])
                    return true
                }
            }
            guard begins ?? nil == true else { throw AppMoveError.isRereading }
        }
    }
}
