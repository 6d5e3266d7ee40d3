package import Foundation
import SystemPackage

/// What the cluster must know of files, beyond Foundation: owners, modes, and the system's reason of a failure.
package enum SystemFile {
    /// - Returns: nil if nothing exists at the path.
    package static func status(_ path: String, followingLinks: Bool = true) -> stat? {
        var result = stat()
        return (followingLinks ? stat(path, &result) : lstat(path, &result)) == 0 ? result : nil
    }

    static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    static func isExecutable(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The text of a small file; nil if it cannot be read.
    static func read(_ path: String) -> String? {
        FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Parameter mode: the mode of each created folder, whatever the umask is.
    package static func makeFolder(_ path: String, mode: mode_t) throws(EmbeddedPostgresError) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]), mode: mode)
        }
        guard mkdir(path, mode) == 0 && chmod(path, mode) == 0 || errno == EEXIST else { throw unusable(path) }
    }

    package static func changeOwner(_ path: String, to account: ServerAccount) throws(EmbeddedPostgresError) {
        guard lchown(path, account.user, account.group) == 0 else { throw unusable(path) }
    }

    /// The error of a system call that has just failed.
    static func unusable(_ path: String) -> EmbeddedPostgresError {
        .folderUnusable(path: path, reason: String(cString: strerror(errno)))
    }

    /// An absolute path without `.`, `..` and doubled slashes. Links stay as they are.
    static func absolute(_ path: String) -> String {
        FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path)).lexicallyNormalized().string
    }
}
