import Events
import Foundation
import GRDB
import Logging
import RandomTesting
@testable import Storage
import Testing
import Time

@Suite("A damaged spool")
struct SpoolDamageTests {
    typealias Base = StorageTesting

    private static let file = "spool-1.sqlite"
    private static let database = DatabaseIdentity(text: "one")

    private func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "damage-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Some requests fill several pages.
    private func submission(_ number: Int, bytes: Int) -> Submission {
        var event = Base.event(UInt64(number), user: "u\(number)")
        event.properties = "{\"a\":\"\(String(repeating: "x", count: bytes))\"}"
        return Submission(appNumber: 7, keyPrefix: "trib_w_test", receivedAt: Base.noon, events: [event])
    }

    private func open(_ folder: String) async throws -> Spool {
        try await Spool.open(in: folder, of: Self.database, logger: Logger(label: "test"))
    }

    private func copyFiles(_ folder: String, to target: String) throws {
        for name in [Self.file, Self.file + "-wal", Self.file + ".ledger"] {
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(target)/\(name)")
        }
    }

    /// The files that a daemon leaves behind when it is killed: its requests, of which some are delivered, some in the
    /// file, and some in its log only.
    private func fill(_ folder: String, _ target: String, _ random: inout SeededRandom) async throws -> [Submission] {
        let spool = try await open(folder)
        async let running: Void = spool.run()
        var sent: [Submission] = []
        for number in 1...90 {
            let submission = submission(number, bytes: Int.random(in: 0...9, using: &random) == 0 ? 20_000 : 200)
            try await spool.append(submission)
            sent.append(submission)
            if number == 30, let batch = try await spool.oldest(events: 10) {
                try await spool.remove(through: batch.position)
                sent.removeFirst(batch.submissions.count)
            }
            if number == 50 { _ = try await spool.database.writeWithoutTransaction { try $0.checkpoint(.full) } }
        }
        try copyFiles(folder, to: target)
        spool.close()
        await running
        return sent
    }

    private struct Result {
        var delivered: [Submission] = []
        var reported = 0
    }

    /// What a daemon does when it starts.
    private func deliver(_ folder: String) async throws -> Result {
        let spool = try await open(folder)
        async let running: Void = spool.run()
        do {
            let result = try await deliver(spool, folder)
            spool.close()
            await running
            return result
        } catch {
            spool.close()
            await running
            throw error
        }
    }

    private func deliver(_ spool: Spool, _ folder: String) async throws -> Result {
        var result = Result()
        try await drain(spool, &result)
        // It serves.
        let new = submission(1_000, bytes: 10)
        try await spool.append(new)
        try await drain(spool, &result)
        #expect(result.delivered.popLast() == new)
        for file in DamagedSpool.all(in: folder) where file.lost == nil {
            var salvaged: [Submission] = []
            let outcome = try await file.salvage(of: Self.database) { salvaged += $0 }
            result.delivered += salvaged
            result.reported += try #require(outcome).lost
        }
        #expect(DamagedSpool.all(in: folder).allSatisfy { $0.lost != nil })
        result.reported += spool.unreadable
        return result
    }

    private func drain(_ spool: Spool, _ result: inout Result) async throws {
        while let batch = try await spool.oldest() {
            result.delivered += batch.submissions
            try await spool.remove(through: batch.position)
        }
    }

    private enum Damage: CaseIterable {
        case bit, truncated, zeroedPage, garbagePage, garbageFile, missing

        func apply(to path: String, _ random: inout SeededRandom) throws {
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let page = place / 4096 * 4096..<min(bytes.count, place / 4096 * 4096 + 4096)
            switch self {
            case .bit: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case .truncated: bytes.removeLast(bytes.count - place)
            case .zeroedPage: for index in page { bytes[index] = 0 }
            case .garbagePage: for index in page { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case .garbageFile: for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case .missing:
                unlink(path)
                return
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    /// The property: what is delivered was sent, and what is not delivered is reported.
    @Test(arguments: TestSeeds.seeds(2))
    func deliversOnlyWhatWasSentAndReportsTheRest(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await withFolder { source in
            try await withFolder { target in
                let sent = try await fill(source, target, &random)
                for suffix in ["", "-wal", ".ledger"] {
                    for damage in Damage.allCases {
                        try await withFolder { folder in
                            for name in try FileManager.default.contentsOfDirectory(atPath: target) {
                                try FileManager.default.copyItem(
                                    atPath: "\(target)/\(name)",
                                    toPath: "\(folder)/\(name)"
                                )
                            }
                            try damage.apply(to: "\(folder)/\(Self.file)\(suffix)", &random)
                            let name: Comment = "seed \(seed), \(damage) of \(Self.file)\(suffix)"
                            let result: Result
                            do {
                                result = try await deliver(folder)
                            } catch {
                                Issue.record(error, name)
                                return
                            }
                            #expect(result.delivered.allSatisfy { sent.contains($0) }, name)
                            let missing = sent.filter { !result.delivered.contains($0) }.count
                            #expect(missing <= result.reported, name)
                            if suffix == ".ledger" { #expect(missing == 0, name) }
                        }
                    }
                }
            }
        }
    }

    @Test func deliversWhatIsWholeAndCountsTheRest() async throws {
        var random = SeededRandom(seed: 1)
        try await withFolder { source in
            try await withFolder { folder in
                let sent = try await fill(source, folder, &random)
                // The log's first frame: SQLite ignores all of the log.
                let log = "\(folder)/\(Self.file)-wal"
                var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: log)))
                bytes[32] ^= 1
                try Data(bytes).write(to: URL(fileURLWithPath: log))
                let result = try await deliver(folder)
                #expect(result.delivered.count == sent.count)
                #expect(result.reported == 0)
                let left = try FileManager.default.contentsOfDirectory(atPath: folder)
                #expect(left.contains { $0.hasPrefix("damaged-") && $0.hasSuffix(Self.file) })
                // It is not delivered again.
                #expect(try await deliver(folder).delivered.isEmpty)
            }
        }
    }

    @Test func setsAChangedRequestAside() async throws {
        try await withFolder { folder in
            let spool = try await open(folder)
            async let running: Void = spool.run()
            for number in 1...3 { try await spool.append(submission(number, bytes: 10)) }
            try await spool.database.write { database in
                try database.execute(
                    sql:
                        "update batch set payload = cast(replace(payload, x'7532', x'7533') as blob) where position = 2"
                )
            }
            let first = try #require(try await spool.oldest())
            #expect(first.submissions == [submission(1, bytes: 10)])
            try await spool.remove(through: first.position)
            #expect(try await spool.oldest()?.submissions == [submission(3, bytes: 10)])
            #expect(spool.unreadable == 1)
            #expect(try SpoolInspection.all(in: folder).map(\.damaged) == [1])
            spool.close()
            await running
        }
    }

    /// The file is damaged while a daemon runs.
    @Test func goesOnInANewFile() async throws {
        try await withFolder { folder in
            let spool = try await open(folder)
            async let running: Void = spool.run()
            for number in 1...3 { try await spool.append(submission(number, bytes: 10)) }
            let first = try #require(try await spool.oldest(events: 1))
            try await spool.database.write { try $0.execute(sql: "delete from batch where position = 2") }
            try await spool.remove(through: first.position)
            #expect(try await spool.oldest() == nil)
            try await spool.append(submission(4, bytes: 10))
            // A removal that was meant for the former file.
            try await spool.remove(through: first.position)
            #expect(try await spool.oldest()?.submissions == [submission(4, bytes: 10)])
            #expect(spool.origin == Self.database)
            let damaged = try #require(DamagedSpool.all(in: folder).first)
            var salvaged: [Submission] = []
            let other = try await damaged.salvage(of: DatabaseIdentity(text: "other")) { salvaged += $0 }
            #expect(other == nil)
            let outcome = try await damaged.salvage(of: Self.database) { salvaged += $0 }
            #expect(outcome == DamagedSpool.Outcome(delivered: 1, lost: 1))
            #expect(salvaged == [submission(3, bytes: 10)])
            spool.close()
            await running
        }
    }

    /// Version 0.1.0 wrote neither checksums nor a ledger, and left no trace of deleted requests.
    @Test func deliversWhatVersionOneHasWritten() async throws {
        try await withFolder { folder in
            try await fillAsVersionOne(folder)
            unlink("\(folder)/\(Self.file).ledger")
            let result = try await deliver(folder)
            #expect(result.delivered == [1, 3, 4].map { submission($0, bytes: 10) })
            #expect(result.reported == 0)
            #expect(DamagedSpool.all(in: folder).isEmpty)
        }
    }

    private func fillAsVersionOne(_ folder: String) async throws {
        let spool = try await open(folder)
        async let running: Void = spool.run()
        for number in 1...4 { try await spool.append(submission(number, bytes: 10)) }
        try await spool.database.write { database in
            try database.execute(sql: "update batch set payload = substr(payload, 18)")
            try database.execute(sql: "delete from batch where position = 2")
        }
        spool.close()
        await running
    }

    /// A full disk, for which a trigger stands in: nothing can be removed from the file.
    @Test func isDeliveredThoughNothingCanBeRemoved() async throws {
        try await withFolder { folder in
            let spool = try await open(folder)
            async let running: Void = spool.run()
            let key = ValidKey(hash: [1], holder: FakeKeys.holder, expiresAt: nil)
            try await spool.saveKeys([key])
            for number in 1...3 { try await spool.append(submission(number, bytes: 10)) }
            try await spool.database.write { database in
                try database.execute(
                    sql: "create trigger full before delete on batch begin select raise(abort, 'full'); end"
                )
            }
            let first = try #require(try await spool.oldest(events: 1))
            try await spool.remove(through: first.position)
            #expect(spool.depth.batches == 2)
            #expect(try SpoolInspection.all(in: folder).map(\.depth.batches) == [2])
            // The daemon is killed: another takes a copy of its files.
            try await withFolder { copy in
                try copyFiles(folder, to: copy)
                let next = try await open(copy)
                #expect(next.depth.batches == 2)
                #expect(try await next.oldest()?.submissions == [2, 3].map { submission($0, bytes: 10) })
                // It is killed too, after it has delivered everything and before it has given the room back.
                next.note { $0.delivered = $0.highest }
                try await withFolder { copyOfCopy in
                    try copyFiles(copy, to: copyOfCopy)
                    let last = try await open(copyOfCopy)
                    #expect(last.depth == SpoolDepth())
                    await last.giveBackRemains()
                    let rows = try await last.database.read { try Int.fetchOne($0, sql: "select count(*) from batch") }
                    #expect(rows == 0)
                    #expect(try last.savedKeys() == [key])
                    #expect(DamagedSpool.all(in: copyOfCopy).isEmpty)
                }
            }
            let rest = try #require(try await spool.oldest())
            #expect(rest.submissions == [2, 3].map { submission($0, bytes: 10) })
            try await spool.remove(through: rest.position)
            #expect(spool.depth == SpoolDepth())
            // A new file, which has no trigger.
            let rows = try await spool.database.read { try Int.fetchOne($0, sql: "select count(*) from batch") }
            #expect(rows == 0)
            #expect(try spool.savedKeys() == [key])
            #expect(spool.origin == Self.database)
            try await spool.append(submission(4, bytes: 10))
            let last = try #require(try await spool.oldest())
            #expect(last.submissions == [submission(4, bytes: 10)])
            #expect(last.position == 4)
            spool.close()
            await running
        }
    }

    @Test func syncsEachCommit() async throws {
        try await withFolder { folder in
            let level = try await open(folder).database.read { try Int.fetchOne($0, sql: "pragma synchronous") }
            #expect(level == 2)
        }
    }
}
