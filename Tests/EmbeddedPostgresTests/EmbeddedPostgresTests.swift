import Foundation
import Postgres
import Testing

@testable import EmbeddedPostgres

@Suite(.serialized) struct EmbeddedPostgresTests {
    private static let isRoot = geteuid() == 0

    private static func process(_ cluster: EmbeddedPostgres) throws -> Int32 {
        guard case .running(_, let process) = cluster.status() else {
            throw TemporaryHome.Failure()
        }
        return process
    }

    private static func run<R: Sendable>(
        _ address: PostgresAddress,
        _ body: @Sendable (isolated PostgresConnection) throws -> R
    ) async throws -> R {
        let connection = try await PostgresConnection.connect(to: address)
        let result = try await connection.run(body)
        await connection.close()
        return result
    }

    @Test func startsStopsAndStartsAgain() async throws {
        try await TemporaryHome.with { cluster in
            #expect(cluster.status() == .absent)
            try await cluster.stop()
            let address = try await cluster.start()
            #expect(address.database == "tributary")
            #expect(address.host.hasPrefix("/"))
            let first = try Self.process(cluster)
            try await Self.run(address) { connection in
                try connection.executeScript("create table kept (a integer); insert into kept values (7)")
            }

            // Another program finds the server running.
            let second = EmbeddedPostgres(home: cluster.home)
            #expect(try await second.start() == address)
            #expect(try Self.process(second) == first)

            try await cluster.stop()
            try await cluster.stop()
            #expect(cluster.status() == .stopped)
            #expect(!PostmasterFile.isAlive(first))

            let again = try await cluster.start()
            try await Self.run(again) { try #expect($0.query("select a from kept")[0].int(0) == 7) }
        }
    }

    @Test func keepsThePromiseOfDurability() async throws {
        try await TemporaryHome.with { cluster in
            let settings = try await Self.run(try await cluster.start()) { connection in
                try ["fsync", "synchronous_commit", "full_page_writes", "data_checksums", "listen_addresses"].map {
                    name in
                    try connection.query("select current_setting($1)", [.text(name)])[0].text(0)
                }
            }
            #expect(settings == ["on", "on", "on", "on", ""])
        }
    }

    @Test func manyMayStartItAtOnce() async throws {
        try await TemporaryHome.with { cluster in
            let home = cluster.home
            let addresses = try await withThrowingTaskGroup(of: PostgresAddress.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await EmbeddedPostgres(home: home).start() }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(addresses.map(\.description)).count == 1)
            let process = try Self.process(cluster)
            try await Self.run(addresses[0]) { connection in
                let row = try connection.query("select pg_is_in_recovery(), current_database()")[0]
                #expect(try !row.bool(0))
                #expect(try row.text(1) == "tributary")
            }
            #expect(PostmasterFile.isAlive(process))
        }
    }

    /// A server whose home was deleted notices this within a minute, and then removes the socket of its successor.
    @Test func comesBackAfterTheLossOfItsSocket() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let address = try await cluster.start()
            try await Self.run(address) { try $0.executeScript("create table kept (a integer)") }
            let first = try Self.process(cluster)
            #expect(unlink("\(address.host)/.s.PGSQL.5432") == 0)
            try await Self.run(try await cluster.start()) { try $0.executeScript("insert into kept values (7)") }
            #expect(try Self.process(cluster) != first)
        }
    }

    @Test func comesBackAfterAKill() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let address = try await cluster.start()
            try await Self.run(address) { connection in
                try connection.executeScript("create table kept (a integer); insert into kept values (7)")
            }
            // A session that outlives its server for a moment.
            let survivor = try await PostgresConnection.connect(to: address)
            let first = try Self.process(cluster)
            #expect(kill(first, SIGKILL) == 0)
            while PostmasterFile.isAlive(first) {
                await Task.yield()
            }
            let again = try await cluster.start()
            #expect(try Self.process(cluster) != first)
            try await Self.run(again) { try #expect($0.query("select a from kept")[0].int(0) == 7) }
            let error = await #expect(throws: PostgresError.self) { try await survivor.query("select 1") }
            #expect(error?.isUnavailable == true)
            await survivor.close()
        }
    }

    /// A full or failing disk leaves such a file, or somebody's mistake.
    @Test(arguments: ["", "garbage\n", "\u{0}\u{0}\u{0}", "-5\n/elsewhere\n"])
    func comesBackAfterAnUnreadableProcessFile(text: String) async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let data = try #require(cluster.dataFolder)
            try text.write(toFile: PostmasterFile.path(data: data), atomically: false, encoding: .utf8)
            let address = try await cluster.start()
            try await Self.run(address) { try #expect($0.query("select 1")[0].int(0) == 1) }

            // A server that runs is not started a second time.
            let process = try Self.process(cluster)
            let kept = try #require(SystemFile.read(PostmasterFile.path(data: data)))
            try text.write(toFile: PostmasterFile.path(data: data), atomically: false, encoding: .utf8)
            await #expect(throws: EmbeddedPostgresError.self) { try await cluster.start() }
            #expect(PostmasterFile.server(of: data) != nil)
            #expect(PostmasterFile.isAlive(process))
            try kept.write(toFile: PostmasterFile.path(data: data), atomically: false, encoding: .utf8)
        }
    }

    @Test func aPoolFindsTheServerAgain() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let pool = PostgresPool(address: try await cluster.start(), size: 2, connectAttempts: 1)
            try await pool.withConnection { try $0.executeScript("create table kept (a integer)") }
            try await cluster.stop()
            for _ in 0..<3 {
                let error = await #expect(throws: PostgresError.self) {
                    try await pool.withConnection { try $0.execute("insert into kept values (1)") }
                }
                #expect(error?.isUnavailable == true)
            }
            _ = try await cluster.start()
            try await pool.withConnection { try $0.execute("insert into kept values (1)") }
            try await #expect(pool.withConnection { try $0.query("select from kept").count } == 1)
            await pool.close()
        }
    }

    @Test(.enabled(if: isRoot)) func theAccountNobodyWillDo() async throws {
        try await TemporaryHome.with { cluster in
            let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
            let account = try ServerAccount.current(owner: nobody)
            #expect(account.name == "nobody")
            let folder = try ClusterFolder.make(home: cluster.home, account: account)
            let binaries = try #require(EmbeddedPostgres.locate())
            try NewCluster(folder: folder, account: account, binaries: binaries).make()

            // From here on, the owner of the data says which account it is.
            let address = try await cluster.start()
            #expect(SystemFile.status(try #require(cluster.dataFolder))?.st_uid == nobody)
            try await Self.run(address) { try #expect($0.query("select 1").count == 1) }
        }
    }

    @Test func anotherProcessWithTheNumberOfADeadServerIsNoServer() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            _ = try await cluster.start()
            let data = try #require(cluster.dataFolder)
            let account = try ServerAccount.current(owner: SystemFile.status(data)?.st_uid)
            let text = try #require(SystemFile.read(PostmasterFile.path(data: data)))
            let server = try #require(PostmasterFile(text: text))
            kill(server.process, SIGKILL)
            while PostmasterFile.isAlive(server.process) {
                await Task.yield()
            }
            let pipe = SystemCommand.makePipe()
            let input = pipe.fileHandleForReading.fileDescriptor
            let (other, output) = try account.command(["/bin/cat"], standardInput: input).start()
            let rest = text.drop { $0 != "\n" }
            try "\(other)\(rest)".write(toFile: PostmasterFile.path(data: data), atomically: false, encoding: .utf8)
            if !account.isOwn {
                try SystemFile.changeOwner(PostmasterFile.path(data: data), to: account)
            }

            _ = try await cluster.start()
            #expect(try Self.process(cluster) != other)
            #expect(PostmasterFile.isAlive(other))
            for end in [pipe.fileHandleForWriting, pipe.fileHandleForReading, output] {
                try end.close()
            }
            SystemCommand.wait(other)
        }
    }

    @Test func anInterruptedMakingBeginsAnew() async throws {
        try await TemporaryHome.with { cluster in
            try SystemFile.makeFolder(cluster.home + "/postgres/data.new/base", mode: 0o755)
            try "15\n".write(toFile: cluster.home + "/postgres/data.new/PG_VERSION", atomically: false, encoding: .utf8)
            #expect(cluster.status() == .absent)
            let address = try await cluster.start()
            try await Self.run(address) { try #expect($0.query("select 1").count == 1) }
        }
    }

    @Test func aLongPathHasItsSocketElsewhere() async throws {
        let long = (0..<4).map { _ in String(repeating: "long", count: 12) }.joined(separator: "/")
        try await TemporaryHome.with(inside: long + "/.tributary") { cluster in
            let address = try await cluster.start()
            #expect(address.host.utf8.count < 90)
            #expect(!address.host.hasPrefix(cluster.home))
            let status = try #require(SystemFile.status(address.host))
            #expect(status.st_mode & 0o007 == 0)
            try await Self.run(address) { try #expect($0.query("select 1").count == 1) }
            try FileManager.default.removeItem(atPath: address.host)
        }
    }

    @Test func aPathMayHoldBlanksQuotesAndCommas() async throws {
        try await TemporaryHome.with(inside: "it's a \"home\", $HOME `x` é/.tributary") { cluster in
            let address = try await cluster.start()
            try await Self.run(address) { try #expect($0.query("select 1").count == 1) }
            try FileManager.default.removeItem(atPath: address.host)
        }
    }

    @Test(.enabled(if: isRoot)) func underRootAHomeThatTheServerCannotReachKeepsItsDataElsewhere() async throws {
        try await TemporaryHome.with(in: "/root") { cluster in
            let address = try await cluster.start()
            let data = try #require(cluster.dataFolder)
            #expect(data.hasPrefix("/var/lib/tributary/"))
            let note = try #require(SystemFile.read(cluster.home + "/postgres/location"))
            #expect(note.hasPrefix(data.dropLast("/data".count)))
            try await Self.run(address) { try #expect($0.query("select 1").count == 1) }
            #expect(try await EmbeddedPostgres(home: cluster.home).start() == address)
        }
    }

    @Test(.enabled(if: isRoot), arguments: ["postgres", "nobody"])
    func othersAreKeptOut(account name: String) async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let address = try await cluster.start()
            let binaries = try #require(EmbeddedPostgres.locate())
            let outcome = SystemCommand([
                "/usr/sbin/runuser", "-u", name, "--", binaries.folder + "/psql", address.description, "-c", "select 1",
            ]).run()
            #expect(outcome.status == 2)
            #expect(
                outcome.output.contains("Peer authentication failed") || outcome.output.contains("Permission denied")
            )
        }
    }

    @Test(.enabled(if: isRoot)) func everyWayToChangeTheAccountWorks() throws {
        let account = try ServerAccount.current()
        let changers = ServerAccount.changers(account).filter { SystemFile.isExecutable($0[0]) }
        #expect(!changers.isEmpty)
        for prefix in changers {
            let outcome = SystemCommand(
                prefix + ["/bin/sh", "-c", "id -un; printf '%s|' \"$@\"", "sh", "a b", "$x", "\"q'"]
            ).run()
            #expect(outcome.output == "\(account.name)\na b|$x|\"q'|", "\(prefix)")
            #expect(outcome.status == 0)
        }
    }

    @Test func aHomeThatCannotBeMadeIsTold() async {
        let cluster = EmbeddedPostgres(home: "/dev/null/home")
        await #expect(throws: EmbeddedPostgresError.self) { try await cluster.start() }
        #expect(cluster.status() == .absent)
    }

    @Test func dataOfAVersionThatIsNotInstalledIsTold() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let data = try #require(cluster.dataFolder)
            try "9\n".write(toFile: data + "/PG_VERSION", atomically: false, encoding: .utf8)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await cluster.start() }
            guard case .versionMissing(needed: 9, _, _)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
    }

    /// A stand-in for server programs that name a version and run the real ones.
    private func standIn(_ version: String, in folder: String) throws {
        let real = try #require(EmbeddedPostgres.locate())
        try SystemFile.makeFolder(folder, mode: 0o755)
        for (name, program) in [("postgres", real.postgres), ("initdb", real.initdb)] {
            let script = """
                #!/bin/sh
                [ "$1" = --version ] && echo '\(name) (PostgreSQL) \(version)' && exit
                exec '\(program)' "$@"

                """
            try script.write(toFile: folder + "/" + name, atomically: false, encoding: .utf8)
            chmod(folder + "/" + name, 0o755)
        }
    }

    @Test func theVersionThatMadeItStartsItBesideANewerOne() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let real = try #require(EmbeddedPostgres.locate())
            let newer = cluster.home + "/newer"
            try standIn("99.1", in: newer)
            let beside = EmbeddedPostgres(home: cluster.home, programFolders: [newer, real.folder])
            #expect(try await beside.programs() == real)
            _ = try await beside.start()
            try await cluster.stop()

            let alone = EmbeddedPostgres(home: cluster.home, programFolders: [newer])
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await alone.start() }
            guard case .versionMissing(real.version, [99], _)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
    }

    @Test func aRestartUsesTheProgramsThatAreInstalledNow() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let address = try await cluster.start()
            let real = try #require(EmbeddedPostgres.locate())
            #expect(try await cluster.programs()?.release == real.release)
            #expect(try await cluster.serverRelease(at: address) == real.release)
            let first = try Self.process(cluster)
            #expect(cluster.serverProcess == first)

            let folder = cluster.home + "/upgraded"
            try standIn("\(real.version).99 (new)", in: folder)
            let upgraded = EmbeddedPostgres(home: cluster.home, programFolders: [folder, real.folder])
            #expect(try await upgraded.programs()?.release == "\(real.version).99 (new)")
            #expect(try await upgraded.restart(replacing: first) == address)
            let second = try Self.process(cluster)
            #expect(second != first)

            // Another program has restarted it already.
            #expect(try await upgraded.restart(replacing: first) == address)
            #expect(try Self.process(cluster) == second)

            // A server that could not start again is not stopped.
            let without = EmbeddedPostgres(home: cluster.home, programFolders: [])
            await #expect(throws: EmbeddedPostgresError.self) { try await without.restart(replacing: second) }
            #expect(try Self.process(cluster) == second)
        }
    }

    @Test func aCancelledTaskStartsNothing() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            #expect(cluster.serverProcess == nil)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await cluster.start()
            }
            await #expect(throws: EmbeddedPostgresError.abandoned) { try await task.value }
            #expect(cluster.status() == .stopped)
            let expected = try await cluster.expectedAddress()
            #expect(try await cluster.start() == expected)
        }
    }

    @Test func aServerThatDoesNotStartShowsItsLog() async throws {
        try await TemporaryHome.with(isMade: true) { cluster in
            let data = try #require(cluster.dataFolder)
            try "nonsense = 1\n".write(toFile: data + "/postgresql.conf", atomically: false, encoding: .utf8)
            let error = await #expect(throws: EmbeddedPostgresError.self) { try await cluster.start() }
            #expect(error?.description.contains("nonsense") == true)
        }
    }
}
