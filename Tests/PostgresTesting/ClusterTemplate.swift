package import EmbeddedPostgres
import Foundation
import Postgres
import Storage

/// A private cluster of the test's own, to stop, kill and freeze. Making one takes seconds: each process makes one, and
/// every test gets a copy of it.
package actor ClusterTemplate {
    package struct Failure: Error {
        package var reason: String
    }

    private static let shared = ClusterTemplate()
    private var made: Task<ServerShell, any Error>?

    /// Runs a test with a cluster in a new home. It is there with the schema, but stopped. At the end, it is stopped
    /// and removed.
    ///
    /// - Parameter name: how the name of the home begins.
    package static func with<R>(
        named name: String,
        _ body: (EmbeddedPostgres, _ home: String) async throws -> R
    ) async throws -> R {
        var template = Array("\(TestServer.temporaryFolder())/\(name).XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(reason: "no temporary folder") }
        let home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // The server's account passes through.
        chmod(home, 0o711)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let cluster = EmbeddedPostgres(home: home)
        do {
            try await copy(to: home)
            let result = try await body(cluster, home)
            try await cluster.stop()
            return result
        } catch {
            try? await cluster.stop()
            throw error
        }
    }

    /// Puts a copy into a home that has no cluster. Its server does not sync: tests end servers, not machines.
    package static func copy(to home: String) async throws {
        let template = try await shared.template()
        let outcome = SystemCommand(["/bin/cp", "-a", template.folder + "/postgres", home + "/postgres"]).run()
        guard outcome.status == 0 else { throw Failure(reason: outcome.output) }
        guard lchown(home + "/postgres", geteuid(), getegid()) == 0 else {
            throw Failure(reason: "no owner of \(home)")
        }
    }

    private func template() async throws -> ServerShell {
        let task = made ?? Task { try await Self.make() }
        made = task
        return try await task.value
    }

    /// The shell removes the folder when this process ends.
    private static func make() async throws -> ServerShell {
        let shell = try ServerShell(
            "trap '' INT TERM HUP PIPE; echo ready; exec >/dev/null 2>&1; cat >/dev/null; rm -rf \"$0\"",
            [],
            in: TestServer.temporaryFolder(),
            named: "tributary-template"
        )
        let cluster = EmbeddedPostgres(home: shell.folder)
        let connection = try await PostgresConnection.connect(to: try await cluster.start())
        _ = try await connection.run { try Migrator().migrate($0) }
        await connection.close()
        try await cluster.stop()
        let account = try ServerAccount.current()
        // The shell runs as the server's account, and must be able to remove everything.
        try SystemFile.changeOwner(shell.folder + "/postgres", to: account)
        guard let data = cluster.dataFolder else { throw Failure(reason: "the template has no data") }
        let settings = open(data + "/postgresql.conf", O_WRONLY | O_APPEND)
        defer { close(settings) }
        let text = "fsync = off\n"
        guard write(settings, text, text.utf8.count) == text.utf8.count else {
            throw Failure(reason: "the template's settings cannot be written")
        }
        return shell
    }
}
