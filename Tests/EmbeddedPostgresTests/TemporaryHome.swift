import EmbeddedPostgres
import Foundation
import PostgresTesting

/// The home folder of a test. At the end, its server is stopped and its data is removed.
enum TemporaryHome {
    struct Failure: Error {}

    /// - Parameters:
    ///   - parent: the folder in which the home is created.
    ///   - inside: further folders down to the home.
    ///   - isMade: whether the cluster is there. It is stopped.
    static func with(
        in parent: String? = nil,
        inside: String = ".tributary",
        isMade: Bool = false,
        _ body: (EmbeddedPostgres) async throws -> Void
    ) async throws {
        // In memory if possible: the many small files of a new cluster take seconds on a disk.
        let place = parent ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")
        var template = Array("\(place)/tributary-home.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if parent == nil {
            // Like an ordinary project's folder: other accounts may pass.
            chmod(folder, 0o755)
        }
        let cluster = EmbeddedPostgres(home: folder + "/" + inside)
        let result: Result<Void, any Error>
        do {
            if isMade {
                try SystemFile.makeFolder(cluster.home, mode: 0o755)
                try await ClusterTemplate.copy(to: cluster.home)
            }
            result = .success(try await body(cluster))
        } catch {
            result = .failure(error)
        }
        let data = cluster.dataFolder
        try await cluster.stop()
        if let data, !data.hasPrefix(folder) {
            try FileManager.default.removeItem(atPath: String(data.dropLast("/data".count)))
        }
        try FileManager.default.removeItem(atPath: folder)
        try result.get()
    }
}
