import Foundation

/// A file that appears whole or not at all: it is written under a hidden name in the same folder, synced to the disk,
/// and renamed. If it is released before ``place()``, nothing is left of it.
///
/// Only its owner may read it, because most of what is written has ids of people or figures of an app. A path that is
/// not a regular file, such as a pipe or `/dev/stdout`, is written directly.
final class WholeFile: @unchecked Sendable {
    let path: String
    private let option: String
    /// Nil for a path that is not a regular file.
    private let temporary: String?
    /// Guard of `@unchecked Sendable`: one caller at a time writes.
    private var descriptor: Int32
    private var size = 0
    private var sizeOnItsWay = 0
    /// The bytes after which the disk starts to write, so that `sync` does not have the whole file to write.
    private static let writebackSize = 8 << 20

    /// - Parameters:
    ///   - option: the option that names the file, for messages, such as `--output`.
    ///   - keepsMode: whether an older file's mode stays, so that a `chmod` for other readers lasts.
    /// - Throws: `CommandFailure` if it cannot be written.
    init(path: String, option: String, keepsMode: Bool = true) throws {
        self.option = option
        var status = stat()
        let exists = stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        if exists, kind == S_IFDIR {
            throw CommandFailure(.usage, "\(option): '\(path)' is a folder; name a file")
        }
        if exists, kind != S_IFREG {
            self.path = path
            temporary = nil
            descriptor = open(path, O_WRONLY)
        } else {
            // The target of a symbolic link is replaced, not the link.
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            self.path = url.path
            let temporary = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).\(getpid()).part"
            self.temporary = temporary
            // A killed process with the same process id may have left it.
            unlink(temporary)
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            if descriptor >= 0, exists, keepsMode { _ = fchmod(descriptor, status.st_mode & 0o777) }
        }
        guard descriptor >= 0 else { throw Self.failure(errno, path: path, option: option) }
    }

    deinit {
        if descriptor >= 0 {
            close(descriptor)
            if let temporary { unlink(temporary) }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        try FileDescriptorWriting.write(bytes, to: descriptor) { errno in
            Self.failure(errno, path: path, option: option)
        }
        #if os(Linux)
            size += bytes.count
            if size - sizeOnItsWay >= Self.writebackSize, temporary != nil {
                // Pages that are not on the disk yet are written in the background, and stay in memory.
                posix_fadvise(descriptor, sizeOnItsWay, size - sizeOnItsWay, POSIX_FADV_DONTNEED)
                sizeOnItsWay = size
            }
        #endif
    }

    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Returns when everything written is on the disk.
    func sync() throws {
        // Pipes and devices cannot be synced.
        guard fsync(descriptor) == 0 || temporary == nil else {
            throw Self.failure(errno, path: path, option: option)
        }
    }

    /// Makes the file appear, in place of an older one.
    func place() throws {
        guard let temporary else { return }
        try sync()
        guard rename(temporary, path) == 0 else { throw Self.failure(errno, path: path, option: option) }
        close(descriptor)
        descriptor = -1
        // The name must survive a power cut too. Some file systems cannot sync folders.
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func failure(_ error: Int32, path: String, option: String) -> CommandFailure {
        let reason = String(cString: strerror(error))
        switch error {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EISDIR:
            return CommandFailure(.usage, "\(option): '\(path)' cannot be written: \(reason); does its folder exist?")
        case EACCES, EPERM, EROFS:
            return CommandFailure(.notPermitted, "\(option): '\(path)' cannot be written: \(reason)")
        default:
            return CommandFailure(
                .internalError,
                "\(option): '\(path)' could not be written: \(reason); the incomplete file was removed"
            )
        }
    }
}
