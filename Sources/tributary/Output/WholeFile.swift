import Foundation

/// A file that is there whole or not at all: written beside its place, synced to the disk, and renamed into it. Let go of
/// before that, it leaves nothing behind.
///
/// What is no file, such as a pipe or `/dev/stdout`, is written at once.
final class WholeFile: @unchecked Sendable {
    let path: String
    private let option: String
    private let temporary: String?
    /// Guard of `@unchecked Sendable`: one caller at a time writes.
    private var descriptor: Int32
    private var size = 0
    private var sizeOnItsWay = 0
    /// After so many the disk is set to work, so that `sync` does not begin with all of the file.
    private static let writebackSize = 8 << 20

    /// - Parameters:
    ///   - option: that named it, for messages: `--output`.
    ///   - isPrivate: readable by its owner only.
    /// - Throws: `CommandFailure` where it cannot be written.
    init(path: String, option: String, isPrivate: Bool = false) throws {
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
            // Through a link to the file that it stands for.
            let url = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            self.path = url.path
            let temporary = url.deletingLastPathComponent().path + "/.\(url.lastPathComponent).\(getpid()).part"
            self.temporary = temporary
            // Left by a process of the same number that was killed.
            unlink(temporary)
            descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, isPrivate ? 0o600 : 0o666)
            if descriptor >= 0, exists, !isPrivate { _ = fchmod(descriptor, status.st_mode & 0o777) }
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
                // Pages that are not on the disk yet are sent there, and stay in memory. Nothing waits for it.
                posix_fadvise(descriptor, sizeOnItsWay, size - sizeOnItsWay, POSIX_FADV_DONTNEED)
                sizeOnItsWay = size
            }
        #endif
    }

    func write(_ text: String) throws {
        var text = text
        try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
    }

    /// Everything written is on the disk.
    func sync() throws {
        // Pipes and devices cannot be synced.
        guard fsync(descriptor) == 0 || temporary == nil else {
            throw Self.failure(errno, path: path, option: option)
        }
    }

    /// Lets the file appear, in place of the one that was there.
    func place() throws {
        guard let temporary else { return }
        try sync()
        guard rename(temporary, path) == 0 else { throw Self.failure(errno, path: path, option: option) }
        close(descriptor)
        descriptor = -1
        // The name too must outlast a power cut; a file system that cannot sync folders has to do without.
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private static func failure(_ error: Int32, path: String, option: String) -> CommandFailure {
        let reason = String(cString: strerror(error))
        switch error {
        case ENOENT, ENOTDIR, ENAMETOOLONG, ELOOP, EISDIR:
            return CommandFailure(.usage, "\(option): '\(path)' cannot be written: \(reason); is its folder there?")
        case EACCES, EPERM, EROFS:
            return CommandFailure(.notPermitted, "\(option): '\(path)' cannot be written: \(reason)")
        default:
            return CommandFailure(
                .internalError,
                "\(option): '\(path)' could not be written: \(reason); nothing is left of it"
            )
        }
    }
}
