import Events
import Foundation
import Ingest
import Logging
import Postgres
import PostgresTesting
import Settings
import Storage
import Testing
import Time

@testable import tributaryd

@Suite("Delivering the spool", .timeLimit(.minutes(5)))
struct SpoolCourierTests {
    private static func event(_ number: UInt64, user: String, device: String) -> Event {
        Event(
            id: EventID(high: 0x1111_1111_1111_4111, low: number),
            occurredAt: .now,
            receivedAt: .now,
            userID: user,
            deviceID: device,
            clickID: nil,
            platform: nil,
            properties: nil,
            content: .authentication()
        )
    }

    /// What a daemon delivers a spool with.
    private struct Delivery {
        let writer: EventWriter
        let spool: Spool
        let sink: SpoolingSink
        private var courier: SpoolCourier

        init(
            of spool: Spool,
            in folder: String,
            root: String? = nil,
            others: [Delivery] = [],
            to database: TestDatabase,
            _ logger: Logger
        ) throws {
            self.spool = spool
            writer = EventWriter(pool: database.pool, logger: logger)
            sink = SpoolingSink(
                writer: writer,
                spool: spool,
                patience: .seconds(3_600),
                isPresent: false,
                logger: logger
            )
            let address = try DatabaseAddress(.named("postgresql://localhost/any"), logger: logger)
            address.set(database.address)
            courier = SpoolCourier(
                spool: spool,
                folder: folder,
                root: root ?? folder,
                sink: sink,
                writer: writer,
                pool: database.pool,
                address: address,
                schema: DatabaseSchema(pool: database.pool, logger: logger),
                directory: LinkDirectory(),
                logger: logger
            )
            courier.others = others.map(\.courier)
        }

        /// - Parameter begin: called once the spool runs, and before anything is delivered.
        func run(
            after begin: @Sendable () async throws -> Void = {},
            until isOver: @Sendable () async throws -> Bool
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await writer.run() }
                group.addTask { await spool.run() }
                try await begin()
                let running = Task { try await courier.run() }
                while try await !isOver() { await Task.yield() }
                running.cancel()
                _ = await running.result
                writer.close()
                spool.close()
                try await group.waitForAll()
            }
        }
    }

    /// Delivers requests to a database with a trigger.
    ///
    /// - Parameter requests: the devices of the events of each.
    /// - Returns: how many events are stored, and how many are rejected.
    private static func deliver(_ requests: [[String]], against trigger: String) async throws -> [Int] {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let store = AppStore(pool: database.pool)
            _ = try await store.create(AppProfile(id: "shop", name: "Shop"))
            let app = try await store.app(id: "shop")
            try await database.pool.withConnection { try $0.executeScript(trigger) }
            let folder = FileManager.default.temporaryDirectory.appending(path: "courier-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let logger = Logger(label: "test") { _ in CollectedLog() }
            let spool = try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, logger: logger)
            let delivery = try Delivery(of: spool, in: folder, to: database, logger)
            try await delivery.run {
                var number: UInt64 = 0
                for devices in requests {
                    let events = devices.map { device in
                        number += 1
                        return Self.event(number, user: "u", device: device)
                    }
                    try await spool.append(
                        Submission(
                            appNumber: app.number,
                            keyPrefix: "k",
                            receivedAt: .now,
                            events: events
                        )
                    )
                }
            } until: {
                spool.depth.batches == 0 && delivery.sink.isDatabasePresent
            }
            return try await database.pool.withConnection { connection in
                try ["event", "rejected_event"].map { try connection.query("select count(*) from \($0)")[0].int(0) }
            }
        }
    }

    /// One that is refused with each error stands alone at the head of the spool, others are behind it.
    @Test(arguments: ["22P05", "23505", "23514", "54000", "P0001", "38000", "42501", "XX002"])
    func isNotHeldUpByAnEventThatTheDatabaseRefuses(state: String) async throws {
        let counts = try await Self.deliver(
            [["poison"], ["d"], ["poison"], ["d"]],
            against: """
                create function refuse() returns trigger language plpgsql as $$
                begin
                    if new.device_id = 'poison' then raise exception 'no' using errcode = '\(state)'; end if;
                    return new;
                end $$;
                create trigger refuse before insert on event for each row execute function refuse();
                """
        )
        #expect(counts == [2, 2])
    }

    /// Of a machine that is too slow for a whole batch within the time limit: larger ones always fail. So may a single
    /// request.
    @Test(arguments: [1, 300]) func isDeliveredInPiecesThatTheDatabaseTakes(size: Int) async throws {
        let counts = try await Self.deliver(
            Array(repeating: Array(repeating: "d", count: size), count: 300 / size),
            against: """
                create function limit_keys() returns trigger language plpgsql as $$
                begin
                    if (select count(*) from new_key) > 100 then
                        raise exception 'too slow' using errcode = '55P03';
                    end if;
                    return null;
                end $$;
                create trigger limit_keys after insert on event_key referencing new table as new_key
                for each statement execute function limit_keys();
                """
        )
        #expect(counts == [300, 0])
    }

    /// A spool of another database holds events of an app that has come from there, and of one that has not.
    @Test func deliversWhatHasMovedHere() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let store = AppStore(pool: database.pool)
            _ = try await store.create(AppProfile(id: "shop", name: "Shop"))
            let app = try await store.app(id: "shop")
            let folder = FileManager.default.temporaryDirectory.appending(path: "courier-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let logger = Logger(label: "test") { _ in CollectedLog() }
            let former = try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, logger: logger)
            let identity = try await database.pool.withConnection { try DatabaseIdentity.read($0) }
            try await former.claim(for: identity)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await former.run() }
                for (number, place) in [(71, 1), (71, 2), (72, 3), (71, 4)] as [(Int32, UInt64)] {
                    try await former.append(
                        Submission(
                            appNumber: number,
                            keyPrefix: "k",
                            receivedAt: .now,
                            events: [Self.event(place, user: "u", device: "d")]
                        )
                    )
                }
                former.close()
            }
            // From here on, the database is another one.
            try await database.pool.withConnection { connection in
                try connection.executeScript(
                    """
                    insert into app_origin (app_number, database, number)
                    select \(app.number), identity, 71 from database_identity;
                    update database_identity set identity = gen_random_uuid()
                    """
                )
            }
            try await Self.deliver(in: folder, database, until: "select count(*) = 3 from event", logger)
            #expect(former.depth.batches == 4)
        }
    }

    /// The app has moved from the first to the second and on to the third, with an event left in the first one's spool.
    @Test func deliversWhatHasMovedOn() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { first in
            try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { second in
                try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { third in
                    try await Self.deliverThrough([first, second, third])
                    let count = try await third.pool.withConnection { connection in
                        try connection.query("select count(*) from event")[0].int(0)
                    }
                    #expect(count == 1)
                }
            }
        }
    }

    private static func deliverThrough(_ databases: [TestDatabase]) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "courier-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let logger = Logger(label: "test") { _ in CollectedLog() }
        let origin = try await databases[0].pool.withConnection { try DatabaseIdentity.read($0).description }
        var others: [Delivery] = []
        for (place, database) in databases.enumerated() {
            let store = AppStore(pool: database.pool)
            _ = try await store.create(AppProfile(id: "shop", name: "Shop"))
            try await database.pool.withConnection { connection in
                if place > 0 {
                    try connection.executeScript("insert into app_origin select app_number, '\(origin)', 1 from app")
                }
                if place < 2 {
                    try connection.executeScript(
                        """
                        insert into app_departure (app_number, target, barred_at, moved_at)
                        select app_number, gen_random_uuid(), now(), now() from app
                        """
                    )
                }
            }
            guard place > 0 else { continue }
            let own = "\(folder)/\(place)"
            let spool = try await Spool.open(in: own, of: nil, byteLimit: 1 << 20, logger: logger)
            others.append(try Delivery(of: spool, in: own, to: database, logger))
        }
        let spool = try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, logger: logger)
        let delivery = try Delivery(of: spool, in: folder, others: others, to: databases[0], logger)
        let writers = others.map(\.writer)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in writers { group.addTask { await writer.run() } }
            try await delivery.run {
                let event = Self.event(1, user: "u", device: "d")
                try await spool.append(Submission(appNumber: 1, keyPrefix: "k", receivedAt: .now, events: [event]))
            } until: {
                spool.depth.batches == 0
            }
            for writer in writers { writer.close() }
            try await group.waitForAll()
        }
    }

    /// A database's name was changed, or its place in the settings: its events lie in another folder.
    @Test func deliversWhatLiesInTheFolderOfAnotherName() async throws {
        try await TestDatabases.withDatabase(migrate: TestDatabases.migrate) { database in
            let store = AppStore(pool: database.pool)
            _ = try await store.create(AppProfile(id: "shop", name: "Shop"))
            let app = try await store.app(id: "shop")
            let root = FileManager.default.temporaryDirectory.appending(path: "courier-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: root) }
            let logger = Logger(label: "test") { _ in CollectedLog() }
            let identity = try await database.pool.withConnection { try DatabaseIdentity.read($0) }
            do {
                let former = try await Spool.open(in: root + "/made", of: identity, byteLimit: 1 << 20, logger: logger)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { await former.run() }
                    let event = Self.event(1, user: "u", device: "d")
                    try await former.append(
                        Submission(appNumber: app.number, keyPrefix: "k", receivedAt: .now, events: [event])
                    )
                    former.close()
                }
            }
            // As if the daemon that had it open were gone.
            try FileManager.default.moveItem(atPath: root + "/made", toPath: root + "/former")
            try FileManager.default.removeItem(atPath: root + "/former/spool-1.lock")
            let folder = root + "/latter"
            let spool = try await Spool.open(in: folder, of: identity, byteLimit: 1 << 20, logger: logger)
            try await Delivery(of: spool, in: folder, root: root, to: database, logger).run(until: {
                try await database.pool.withConnection { connection in
                    try connection.query("select count(*) = 1 from event")[0].bool(0)
                }
            })
        }
    }

    /// Runs a courier with a spool of its own until a question has the answer true.
    private static func deliver(
        in folder: String,
        _ database: TestDatabase,
        until question: String,
        _ logger: Logger
    ) async throws {
        let other = "\(folder)-moved"
        defer { try? FileManager.default.removeItem(atPath: other) }
        // As if the daemon that had it open were gone.
        try FileManager.default.copyItem(atPath: folder, toPath: other)
        let identity = try await database.pool.withConnection { try DatabaseIdentity.read($0) }
        let spool = try await Spool.open(in: other, of: identity, byteLimit: 1 << 20, logger: logger)
        try await Delivery(of: spool, in: other, to: database, logger).run(until: {
            try await database.pool.withConnection { try $0.query(question)[0].bool(0) }
        })
        // The other app's event waits for its database, and those around it with it.
        let left = try Spool.abandoned(in: other, besides: spool.path, logger: logger)
        #expect(left.map(\.depth.batches) == [4])
    }
}
