import GRDB

/// Why a submission was not spooled.
package enum SpoolError: Error, Equatable {
    /// The limit of bytes is reached, or the disk is full. Try again later.
    case full
    /// The spool's file cannot be used.
    case unusable(String)
    /// What it holds is of another database, `origin`, than the one at hand, and is kept for that one.
    case ofAnotherDatabase(path: String, origin: DatabaseIdentity)
    /// It is another user's.
    case notPermitted(path: String)

    init(_ error: any Error) {
        if let error = error as? DatabaseError, error.resultCode == .SQLITE_FULL {
            self = .full
        } else {
            self = .unusable("\(error)")
        }
    }
}
