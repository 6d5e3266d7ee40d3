import GRDB

/// A spool's file does not hold what was written to it.
struct SpoolDamage: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Nil if the error does not show damage.
    init?(_ error: any Error) {
        if let damage = error as? SpoolDamage {
            self = damage
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        let isDamage =
            switch error.extendedResultCode {
            case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ: true
            default:
                switch error.resultCode {
                // SQLITE_ERROR: a table or a column is missing, because the statements themselves are right.
                case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR: true
                default: false
                }
            }
        guard isDamage else { return nil }
        description = error.message ?? "\(error)"
    }
}
