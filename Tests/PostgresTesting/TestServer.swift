#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import EmbeddedPostgres
package import Postgres

/// The server of a test process: the one that `TRIBUTARY_TEST_DATABASE_URL` names, or a throw-away cluster in a
/// temporary folder. It is started when the first test needs it.
///
/// However the process ends, even by a crash or an interrupt, ``ServerShell`` stops the server and removes the folder.
package final class TestServer: Sendable {
    /// The number of connections that all tests together may have.
    static let maximumConnections = 400

    /// The address of the database `postgres`, as a superuser.
    package let address: PostgresAddress
    package let isThrowAway: Bool
    /// Nil for a server that is named.
    private let shell: ServerShell?

    /// - Parameter isOwn: whether to start a throw-away cluster even if `TRIBUTARY_TEST_DATABASE_URL` names a server.
    init(isOwn: Bool = false) throws {
        if !isOwn, let url = getenv("TRIBUTARY_TEST_DATABASE_URL").map({ String(cString: $0) }), !url.isEmpty {
            address = try PostgresAddress(url)
            isThrowAway = false
            shell = nil
            return
        }
        guard let binaries = EmbeddedPostgres.locate() else {
            throw EmbeddedPostgresError.notInstalled(searched: ["PATH"])
        }
        let shell = try ServerShell(
            Self.script,
            [binaries.initdb, binaries.postgres, String(Self.maximumConnections)],
            in: Self.temporaryFolder(),
            named: "tributary-tests"
        )
        self.shell = shell
        isThrowAway = true
        address = shell.address()
    }

    deinit { shell?.end() }

    /// A folder in memory, if there is enough: copying a database is ten times as fast there as on a disk.
    package static func temporaryFolder() -> String {
        var status = statvfs()
        let memory = "/dev/shm"
        let isRoomy =
            statvfs(memory, &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > 2 << 30
            && access(memory, W_OK) == 0
        return isRoomy ? memory : "/tmp"
    }

    /// $0 the folder, $1 initdb, $2 postgres, $3 the number of connections. Durability is off, because the data is
    /// temporary.
    private static let script = """
        trap '' INT TERM HUP PIPE
        cd "$0" || exit 1
        "$1" -D "$0/data" --username=tributary --auth=trust --encoding=UTF8 --locale=C --no-sync >init.log 2>&1 \
        || { cat init.log; rm -rf "$0"; exit 1; }
        (trap - INT TERM HUP PIPE; exec "$2" -D "$0/data" -c listen_addresses= -c unix_socket_directories="$0" \
        -c max_connections="$3" -c shared_buffers=64MB -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
        -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=512MB -c checkpoint_timeout=1h -c autovacuum=off \
        -c jit=off -c dynamic_shared_memory_type=mmap -c log_min_messages=log -c max_prepared_transactions=8) \
        </dev/null >server.log 2>&1 &
        server=$!
        tries=0
        until grep -q '^ready' data/postmaster.pid 2>/dev/null; do
            tries=$((tries + 1))
            if [ $tries -gt 600 ] || ! kill -0 $server 2>/dev/null; then
                cat server.log; kill -QUIT $server 2>/dev/null; rm -rf "$0"; exit 1
            fi
            sleep 0.05
        done
        echo ready
        exec >/dev/null 2>&1
        # Nothing is ever written to the pipe: this waits for its end.
        cat >/dev/null
        kill -QUIT $server
        wait $server
        rm -rf "$0"
        """
}
