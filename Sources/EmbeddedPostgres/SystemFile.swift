#if canImport(Darwin)
    package import Darwin
#elseif canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#endif

/// The file operations that a cluster needs, by system calls. Loading Foundation would take the command line longer
/// than checking for a running server.
package enum SystemFile {
    /// A failed operation, with the system's reason.
    package struct Failure: Error, CustomStringConvertible {
        package var path: String
        package var code: Int32
        package var reason: String { String(cString: strerror(code)) }
        package var description: String { "\(path): \(reason)" }

        init(_ path: String) {
            self.path = path
            code = errno
        }
    }

    /// - Returns: nil if nothing exists at the path.
    package static func status(_ path: String, followingLinks: Bool = true) -> stat? {
        var result = stat()
        let code = followingLinks ? stat(path, &result) : lstat(path, &result)
        return code == 0 ? result : nil
    }

    package static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    package static func isExecutable(_ path: String) -> Bool {
        access(path, X_OK) == 0 && !isFolder(path)
    }

    /// Reads a small file.
    package static func read(_ path: String) throws(Failure) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(path) }
        defer { close(descriptor) }
        return String(decoding: try readAll(descriptor, path), as: UTF8.self)
    }

    /// The last bytes of a file, from the start of a line; empty if the file cannot be read.
    package static func tail(_ path: String, bytes: Int) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        let size = lseek(descriptor, 0, SEEK_END)
        let start = max(0, Int(size) - bytes)
        lseek(descriptor, off_t(start), SEEK_SET)
        guard let content = try? readAll(descriptor, path) else { return "" }
        let text = String(decoding: content, as: UTF8.self)
        return start == 0 ? text : String(text.drop { $0 != "\n" }.dropFirst())
    }

    package static func readAll(_ descriptor: Int32, _ path: String) throws(Failure) -> [UInt8] {
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // `read` would be this enum's own function.
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                throw Failure(path)
            }
            if count == 0 { return content }
            content += chunk[..<count]
        }
    }

    /// Writes a file atomically.
    package static func write(_ text: String, to path: String, mode: mode_t) throws(Failure) {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        // Never writes into a file that another account has created, nor through a link.
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw Failure(temporary) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                let failure = Failure(temporary)
                close(descriptor)
                unlink(temporary)
                throw failure
            }
            rest = rest.dropFirst(count)
        }
        fsync(descriptor)
        close(descriptor)
        guard rename(temporary, path) == 0 else { throw Failure(path) }
    }

    /// Syncs a folder's list of names to disk.
    package static func synchronise(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Creates a folder and its missing parents.
    ///
    /// - Parameter mode: the mode of each created folder, whatever the umask is.
    package static func makeFolder(_ path: String, mode: mode_t) throws(Failure) {
        if isFolder(path) { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try makeFolder(String(path[..<slash]), mode: mode)
        }
        if mkdir(path, mode) == 0 {
            chmod(path, mode)
        } else if errno != EEXIST {
            throw Failure(path)
        }
    }

    package static func changeOwner(_ path: String, user: uid_t, group: gid_t) throws(Failure) {
        guard lchown(path, user, group) == 0 else { throw Failure(path) }
    }

    /// Removes a folder and its content without following links. It ignores errors.
    package static func removeTree(_ path: String) {
        for name in names(in: path) {
            let child = path + "/" + name
            let isFolder = status(child, followingLinks: false).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
            if isFolder {
                removeTree(child)
            } else {
                unlink(child)
            }
        }
        rmdir(path)
    }

    /// The names in a folder without `.` and `..`; none if it cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." {
                names.append(name)
            }
        }
        return names
    }

    /// An absolute path without `.`, `..` and doubled slashes. Links stay as they are.
    package static func absolute(_ path: String) -> String {
        var full = path
        if !path.hasPrefix("/") {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let folder = getcwd(&buffer, buffer.count).map { String(cString: $0) } ?? "/"
            full = folder + "/" + path
        }
        var parts: [Substring] = []
        for part in full.split(separator: "/") where part != "." {
            if part == ".." {
                _ = parts.popLast()
            } else {
                parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
