/// Why an app does not move. The texts are for users.
package enum AppMoveError: Error, Equatable, Sendable, CustomStringConvertible {
    case sameDatabase
    case movesElsewhere
    case isRunning
    case isRereading
    case idIsTaken(String)
    case hostIsTaken(String)
    case isBeingUndone
    case hasArrived
    case hasNotBegun
    /// Events that are here are not there.
    case isIncomplete(here: Int, there: Int)
    case isBusy
    /// A restored backup, for example.
    case movedFromCopy
    case hasOldCopy

    package var description: String {
        switch self {
        case .sameDatabase: "both addresses are of one database, or one is a copy of the other"
        case .movesElsewhere: "the app moves to another database, or has moved there"
        case .isRunning: "another program is moving this app"
        case .isRereading: "secrets are being redacted, or history is being read again: wait until that has ended"
        case .idIsTaken(let id): "the other database has an app '\(id)'"
        case .hostIsTaken(let host): "the other database has an app with the host '\(host)', or with links on it"
        case .isBeingUndone: "this move is being undone: run the command with --undo again"
        case .hasArrived: "the app has moved, and that cannot be undone: move it back"
        case .hasNotBegun: "the app does not move there"
        case .isIncomplete(let here, let there):
            "the app has \(here) events here and \(there) there; nothing was switched: run the command with --undo"
        case .movedFromCopy:
            "the app has moved there from another copy of this database, so what was stored here since would be lost"
        case .hasOldCopy:
            "the other database has what an earlier move of this app copied: run the command with --undo first"
        case .isBusy:
            """
            the other database is busy: transactions that store events do not end, or, on a cluster, wait for a worker \
            (doctor names it); run the command again
            """
        }
    }
}
