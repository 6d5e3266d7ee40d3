#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import EmbeddedPostgres
import Foundation
import Postgres
import PostgresTesting

/// A primary and its streaming standby, in a temporary folder, reached by sockets only.
final class ReplicatedServers: Sendable {
    struct NotFollowing: Error {}

    private let shell: ServerShell

    init() throws {
        guard let binaries = EmbeddedPostgres.locate() else {
            throw EmbeddedPostgresError.notInstalled(searched: ["PATH"])
        }
        shell = try ServerShell(
            Self.script,
            [binaries.folder],
            in: TestServer.temporaryFolder(),
            named: "tributary-standby"
        )
    }

    var primary: PostgresAddress { shell.address("/primary") }
    var standby: PostgresAddress { shell.address("/standby") }

    /// Ends the primary at once, as a crash does. When this returns, all its sessions have ended.
    func endPrimary() async throws {
        let file = shell.folder + "/primary/data/postmaster.pid"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        guard let process = text.split(separator: "\n").first.flatMap({ pid_t($0) }) else { return }
        kill(process, SIGQUIT)
        // The server removes it last.
        while FileManager.default.fileExists(atPath: file) { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Returns when the standby has replayed all that the primary has written.
    func replayAll() async throws {
        let source = try await PostgresConnection.connect(to: primary)
        let target = try await PostgresConnection.connect(to: standby)
        let written = try await source.query("select pg_current_wal_flush_lsn()::text")[0].text(0)
        let end = ContinuousClock.now + .seconds(60)
        while try await !target.query("select pg_last_wal_replay_lsn() >= '\(written)'::pg_lsn")[0].bool(0) {
            guard ContinuousClock.now < end else { throw NotFollowing() }
            try await Task.sleep(for: .milliseconds(10))
        }
        await source.close()
        await target.close()
    }

    func end() { shell.endAndWait() }

    /// $0 the folder, $1 the programs of PostgreSQL.
    private static let script = """
        trap '' INT TERM HUP PIPE
        cd "$0" || exit 1
        fail() { cat *.log; kill -QUIT $primary $standby 2>/dev/null; rm -rf "$0"; exit 1; }
        start() {
            mkdir -p "$0/$1"
            (trap - INT TERM HUP PIPE; exec "$2/postgres" -D "$0/$1/data" -c listen_addresses= \
            -c unix_socket_directories="$0/$1" -c shared_buffers=16MB -c wal_level=replica -c max_wal_senders=4 \
            -c jit=off -c fsync=off -c dynamic_shared_memory_type=mmap -c hot_standby=on) </dev/null >"$1.log" 2>&1 &
        }
        ready() {
            tries=0
            until grep -q '^ready' "$1/data/postmaster.pid" 2>/dev/null; do
                tries=$((tries + 1))
                [ $tries -le 1200 ] && kill -0 $2 2>/dev/null || fail
                sleep 0.05
            done
        }
        mkdir primary standby
        "$1/initdb" -D "$0/primary/data" --username=tributary --auth=trust --encoding=UTF8 --locale=C --no-sync \
        >init.log 2>&1 || fail
        start primary "$1"; primary=$!
        ready primary $primary
        "$1/pg_basebackup" -h "$0/primary" -U tributary -D "$0/standby/data" -R --checkpoint=fast --no-sync \
        --wal-method=stream >backup.log 2>&1 || fail
        start standby "$1"; standby=$!
        ready standby $standby
        echo ready
        exec >/dev/null 2>&1
        cat >/dev/null
        kill -QUIT $primary $standby
        wait
        rm -rf "$0"
        """
}
