import CZlib
import Foundation

/// Calls of the system on files. Errors name the file and the reason.
enum DiskFile {
    struct Failure: Error, CustomStringConvertible {
        var path: String
        var code: Int32

        init(_ path: String) { (self.path, code) = (path, errno) }

        /// Whether there is no room on the disk.
        var isFull: Bool { code == ENOSPC || code == EDQUOT }
        var isMissing: Bool { code == ENOENT }
        var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(code) }
        var description: String { "\(path): \(String(cString: strerror(code)))" }
    }

    /// - Parameter flags: beside `O_CLOEXEC`. A new file is its owner's alone.
    static func open(_ path: String, _ flags: Int32) throws(Failure) -> Int32 {
        let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path) }
        return descriptor
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String) throws(Failure) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Failure(path) }
            done += count
        }
    }

    /// The content of a file. A page that the disk cannot read is zero.
    ///
    /// - Parameter offset: where to begin.
    static func contents(_ path: String, from offset: Int = 0) throws(Failure) -> [UInt8] {
        let descriptor = try open(path, O_RDONLY)
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(path) }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(status.st_size) - offset))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            if count == 0 { break }
            done = count > 0 ? done + count : (done / 4096 + 1) * 4096
        }
        if done < bytes.count { bytes.removeLast(bytes.count - done) }
        return bytes
    }

    /// The names in a folder; none if there is no folder.
    static func names(in folder: String) throws(Failure) -> [String] {
        guard let stream = opendir(folder) else {
            let failure = Failure(folder)
            if failure.isMissing { return [] }
            throw failure
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
            )
        }
        return names
    }

    /// What the name of a file ends with until it takes another's place.
    static let newSuffix = ".new"

    /// Writes a file that takes the place of the one at the path, at once and on the disk.
    static func replace(_ path: String, with bytes: [UInt8]) throws(Failure) {
        let new = path + newSuffix
        let descriptor = try open(new, O_WRONLY | O_CREAT | O_TRUNC)
        do throws(Failure) {
            defer { close(descriptor) }
            try write(bytes, to: descriptor, at: 0, new)
            guard fsync(descriptor) == 0 else { throw Failure(new) }
            guard rename(new, path) == 0 else { throw Failure(path) }
        } catch {
            unlink(new)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Creates a folder for its owner alone, if it is missing. It is there after a crash, too.
    static func makeFolder(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 { return try syncFolder(of: path) }
        guard errno == EEXIST else { throw Failure(path) }
    }

    /// Has the names in the file's folder synced.
    static func syncFolder(of path: String) throws(Failure) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let descriptor = try open(folder, O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(folder) }
    }

    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        let bytes = bytes.bindMemory(to: UInt8.self)
        return UInt32(truncatingIfNeeded: crc32_z(0, bytes.baseAddress, bytes.count))
    }
}

/// A file that is written whole and read whole, with a checksum in its first line. A new one takes its place at once.
enum SnapshotFile {
    /// The file does not hold what was written to it.
    struct Damage: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path) is damaged" }
    }

    static func write(_ content: [UInt8], to path: String) throws(DiskFile.Failure) {
        try DiskFile.replace(path, with: Array(head(of: content[...]).utf8) + content)
    }

    /// - Returns: nil if there is no file.
    static func read(_ path: String) throws -> ArraySlice<UInt8>? {
        let bytes: [UInt8]
        do {
            bytes = try DiskFile.contents(path)
        } catch  where error.isMissing {
            return nil
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { throw Damage(path: path) }
        let content = bytes[(end + 1)...]
        guard bytes[...end].elementsEqual(head(of: content).utf8) else { throw Damage(path: path) }
        return content
    }

    private static func head(of content: ArraySlice<UInt8>) -> String {
        "crc32 \(String(content.withUnsafeBytes { DiskFile.checksum($0) }, radix: 16))\n"
    }
}
