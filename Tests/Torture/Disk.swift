import EmbeddedPostgres
import Foundation

/// A folder on a small disk of its own, which can be filled: a tmpfs, if root may mount one. Otherwise a plain folder.
struct Disk: Sendable {
    let folder: String
    /// Whether it can be filled.
    let isOwn: Bool

    private var ballast: String { folder + "/ballast" }

    init(at folder: String, mebibytes: Int, reaper: Reaper) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        self.folder = folder
        isOwn =
            geteuid() == 0
            && SystemCommand([
                "/bin/mount", "-t", "tmpfs", "-o", "size=\(mebibytes)m,mode=0700", "tmpfs", folder,
            ]).run().status == 0
        if isOwn { reaper.watch(mount: folder) }
    }

    /// Fills the disk, except for a small rest.
    func fill() throws {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { throw TortureFailure("statvfs \(folder)") }
        let free = Int(status.f_bavail) * Int(status.f_frsize)
        let descriptor = open(ballast, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TortureFailure("the file that fills \(folder) cannot be created") }
        defer { close(descriptor) }
        posix_fallocate(descriptor, 0, off_t(max(4096, free - 65_536)))
    }

    func empty() { unlink(ballast) }
}
