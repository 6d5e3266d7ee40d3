/// Why a spool cannot be used.
package enum SpoolError: Error, Equatable {
    /// The spool's byte limit is reached, or the disk is full. Try again later.
    case full
    /// The path cannot be that of a folder, with the reason. Trying again does not help.
    case badFolder(String)
    /// The folder cannot be made now, or the file cannot be used, with the reason.
    case unusable(String)
    /// The file holds requests of another database, `origin`, and is kept for it.
    case ofAnotherDatabase(path: String, origin: DatabaseIdentity)
    /// The file belongs to another user.
    case notPermitted(path: String)

    init(_ error: any Error) {
        switch error {
        case let error as SpoolError: self = error
        case let error as DiskFile.Failure where error.isFull: self = .full
        default: self = .unusable("\(error)")
        }
    }
}

extension SpoolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .full: "the spool is full: it has reached its limit, or the disk has no space left"
        case .badFolder(let reason), .unusable(let reason): "the spool cannot be used: \(reason)"
        case .ofAnotherDatabase(let path, let origin):
            "the spool \(path) holds events of another database, \(origin), and is kept for it"
        case .notPermitted(let path):
            "the spool \(path) belongs to another user; run this as the daemon's user or as root"
        }
    }
}
