import Events
import Foundation
import InboundLinks
import Logging
@testable import Storage
import Synchronization
import Testing
import Time

@Suite("The spool")
struct SpoolTests {
    typealias Base = StorageTesting

    private func withFolder<R>(_ body: (String) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spool-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Opens a spool, runs it while `body` does, and closes it.
    private func withSpool<R>(
        _ folder: String,
        of identity: DatabaseIdentity? = nil,
        byteLimit: Int = 1 << 20,
        _ body: (Spool) async throws -> R
    ) async throws -> R {
        let spool = try await Spool.open(in: folder, of: identity, byteLimit: byteLimit, logger: Logger(label: "test"))
        return try await spool.whileRunning { try await body(spool) }
    }

    private func submission(_ numbers: ClosedRange<UInt64>, properties: String? = nil) -> Submission {
        Submission(
            appNumber: 7,
            keyPrefix: "trib_w_test",
            receivedAt: Base.noon,
            events: numbers.map { number in
                var event = Base.event(number, user: "u\(number)")
                event.properties = properties
                return event
            },
            rejections: [
                Rejection(index: 3, eventID: "x", code: .junkID, field: "user_id", message: "m", redactedEvent: "{}")
            ]
        )
    }

    @Test func isNotMadeWhereThereIsNoFolder() async throws {
        let error = await #expect(throws: SpoolError.self) {
            try await Spool.open(in: "/dev/null/spool", of: nil, logger: Logger(label: "test"))
        }
        guard case .badFolder(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.hasPrefix("/dev/null/spool cannot be made: "))
    }

    /// A link to a disk that is mounted later.
    @Test func mayBeTriedAgainIfItsFolderIsNotThereYet() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let link = "\(folder)/spool"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(folder)/not/there")
            let error = await #expect(throws: SpoolError.self) {
                try await Spool.open(in: link, of: nil, logger: Logger(label: "test"))
            }
            guard case .unusable(let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.hasPrefix("\(link) cannot be made: "))
        }
    }

    @Test func keepsTheOrderAcrossAReopening() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                for number in 1...20 { try await spool.append(submission(UInt64(number)...UInt64(number))) }
            }
            try await withSpool(folder) { spool in
                #expect(spool.depth.batches == 20)
                #expect(spool.depth.events == 20)
                #expect(spool.depth.oldestReceivedAt == Base.noon.microseconds)
                let first = try #require(try await spool.oldest(events: 5))
                #expect(first.submissions == (1...5).map { submission($0...$0) })
                let next = try #require(try await spool.oldest(after: first.position, events: 5))
                #expect(next.submissions == (6...10).map { submission($0...$0) })
                #expect(try await spool.oldest(after: 20) == nil)
                try await spool.remove(through: first.position)
                // What is removed is not read again.
                #expect(try await spool.oldest(after: 1, events: 5)?.position == next.position)
                let second = try #require(try await spool.oldest(events: 100))
                #expect(second.submissions.count == 15)
                try await spool.remove(through: second.position)
                #expect(try await spool.oldest() == nil)
                #expect(spool.depth == SpoolDepth())
            }
        }
    }

    /// A request whose events were all rejected may be large. It counts as one event.
    @Test func deliversInPiecesOfSoManyBytes() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                for number in 1...3 { try await spool.append(submission(UInt64(number)...UInt64(number))) }
                for number in 1...3 {
                    let batch = try #require(try await spool.oldest(bytes: 1))
                    #expect(batch.submissions == [submission(UInt64(number)...UInt64(number))])
                    try await spool.remove(through: batch.position)
                }
                #expect(try await spool.oldest(bytes: 1) == nil)
            }
        }
    }

    /// A daemon is told to stop when it has stored a batch.
    @Test func forgetsWhatWasDeliveredThoughTheTaskIsCancelled() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                try await spool.append(submission(1...1))
                let batch = try #require(try await spool.oldest())
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await spool.remove(through: batch.position)
                }
                try await task.value
                #expect(spool.depth == SpoolDepth())
            }
        }
    }

    @Test func refusesAboveItsLimit() async throws {
        try await withFolder { folder in
            try await withSpool(folder, byteLimit: 4_000) { spool in
                let large = submission(1...1, properties: "{\"a\":\"\(String(repeating: "x", count: 3_000))\"}")
                try await spool.append(large)
                await #expect(throws: SpoolError.full) { try await spool.append(large) }
                let batch = try #require(try await spool.oldest())
                try await spool.remove(through: batch.position)
                try await spool.append(large)
            }
        }
    }

    /// The depth is that of the file, even if requests go in while others go out. With a depth of 0 too early, answered
    /// events would not be delivered.
    @Test func knowsItsDepthWhileItIsEmptiedAndFilled() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in 0..<4 {
                        group.addTask {
                            for number in 1...50 {
                                let id = UInt64(sender * 1_000 + number)
                                try await spool.append(submission(id...id))
                            }
                        }
                    }
                    group.addTask {
                        for _ in 0..<100 {
                            guard let batch = try await spool.oldest(events: 3) else { continue }
                            try await spool.remove(through: batch.position)
                        }
                    }
                    try await group.waitForAll()
                }
                let known = spool.depth
                try await spool.recount()
                #expect(spool.depth == known)
                while let batch = try await spool.oldest(events: 7) { try await spool.remove(through: batch.position) }
                #expect(spool.depth == SpoolDepth())
            }
        }
    }

    /// Whoever reads the end of the log may find nothing while the next request is appended.
    @Test(.timeLimit(.minutes(1))) func losesNothingThatIsAppendedWhileItsEndIsRead() async throws {
        try await withFolder { folder in
            try await withSpool(folder, byteLimit: 1 << 23) { spool in
                let isWhole = Mutex(false)
                @Sendable func deliver() async throws -> Int {
                    var delivered = 0
                    while true {
                        let isEnd = isWhole.withLock { $0 }
                        guard let batch = try await spool.oldest() else {
                            if isEnd { return delivered }
                            continue
                        }
                        delivered += batch.submissions.count
                        try await spool.remove(through: batch.position)
                    }
                }
                async let delivered = deliver()
                try await withThrowingTaskGroup { group in
                    for first: UInt64 in 1...8 {
                        group.addTask {
                            for number in stride(from: first, through: 2_000, by: 8) {
                                try await spool.append(submission(number...number))
                                for _ in 0..<number % 50 { await Task.yield() }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                isWhole.withLock { $0 = true }
                let count = try await delivered
                #expect(count == 2_000)
            }
        }
    }

    @Test func holdsItsLimitAgainstManyAtOnce() async throws {
        try await withFolder { folder in
            try await withSpool(folder, byteLimit: 4_000) { spool in
                let large = submission(1...1, properties: "{\"a\":\"\(String(repeating: "x", count: 900))\"}")
                let kept = await withTaskGroup(of: Bool.self) { group in
                    for _ in 0..<40 { group.addTask { (try? await spool.append(large)) != nil } }
                    return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(kept == spool.depth.batches)
                #expect((1...4).contains(kept))
                #expect(spool.depth.bytes <= 4_000)
            }
        }
    }

    @Test func isItsOwnersOnly() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                try await spool.append(submission(1...3))
                try await spool.claim(for: one)
                try await spool.saveKeys([])
                let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
                #expect(files.contains("spool-1/note") && files.contains("spool-1/0000000000000000001.log"))
                for path in [folder] + files.map({ "\(folder)/\($0)" }) {
                    let attributes = try FileManager.default.attributesOfItem(atPath: path)
                    let permissions = try #require(attributes[.posixPermissions] as? NSNumber).intValue
                    #expect(permissions & 0o077 == 0, "\(path) is open to others")
                }
            }
        }
    }

    @Test func givesASecondProcessAnotherFile() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { first in
                try await first.append(submission(1...1))
                try await withSpool(folder) { second in
                    #expect(second.depth == SpoolDepth())
                    try await second.append(submission(2...2))
                    #expect(first.depth.batches == 1)
                }
            }
        }
    }

    @Test func findsWhatOthersHaveAbandoned() async throws {
        try await withFolder { folder in
            let logger = Logger(label: "test")
            try await withSpool(folder) { own in
                try await withSpool(folder) { other in
                    try await other.append(submission(1...2))
                    // Both spools are open.
                    #expect(try Spool.abandoned(in: folder, logger: logger).isEmpty)
                }
                do {
                    let abandoned = try Spool.abandoned(in: folder, logger: logger)
                    #expect(abandoned.map(\.depth.events) == [2])
                    // One process has it open, so no other gets it.
                    #expect(try Spool.abandoned(in: folder, logger: logger).isEmpty)
                    let spool = try #require(abandoned.first)
                    let batch = try #require(try await spool.oldest())
                    #expect(batch.submissions == [submission(1...2)])
                    try await spool.remove(through: batch.position)
                }
                #expect(try Spool.abandoned(in: folder, logger: logger).isEmpty)
                #expect(own.depth == SpoolDepth())
            }
        }
    }

    private let one = DatabaseIdentity(text: "one")
    private let other = DatabaseIdentity(text: "other")

    @Test func keepsForADatabaseWhatIsOfIt() async throws {
        try await withFolder { folder in
            let key = ValidKey(hash: [1], holder: FakeKeys.holder, expiresAt: nil)
            try await withSpool(folder, of: one) { spool in
                try await spool.saveKeys([key])
                try await spool.append(submission(1...2))
                await #expect(throws: SpoolError.ofAnotherDatabase(path: spool.path, origin: one)) {
                    try await spool.claim(for: other)
                }
                try await spool.claim(for: one)
            }
            try await withSpool(folder, of: other) { spool in
                #expect(spool.depth == SpoolDepth())
                let keys = try spool.savedKeys()
                #expect(keys.isEmpty)
                try await spool.append(submission(3...3))
            }
            // The database is not known yet, so the one that the file names is expected.
            try await withSpool(folder) { spool in
                let keys = try spool.savedKeys()
                #expect(keys == [key])
            }
            try await withSpool(folder, of: one) { spool in
                let batch = try #require(try await spool.oldest())
                #expect(batch.submissions == [submission(1...2)])
                try await spool.remove(through: batch.position)
            }
            // An empty spool may be used for any database, but its keys may not.
            try await withSpool(folder, of: other) { spool in
                #expect(spool.path.hasSuffix("spool-1"))
                let keys = try spool.savedKeys()
                #expect(keys.isEmpty)
            }
            #expect(try SpoolInspection.all(in: folder).map(\.origin) == [other, other])
        }
    }

    /// The database was unavailable at the start.
    @Test func isOfTheDatabaseThatIsThereFirst() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { try await $0.append(submission(1...1)) }
            try await withSpool(folder, of: one) { #expect($0.depth.events == 1) }
            try await withSpool(folder) { spool in
                try await spool.claim(for: one)
                await #expect(throws: SpoolError.ofAnotherDatabase(path: spool.path, origin: one)) {
                    try await spool.claim(for: other)
                }
            }
            try await withSpool(folder, of: other) { #expect($0.depth.events == 0) }
        }
    }

    /// Writes the first spool as another version may have left it.
    private func write(_ payloads: [[UInt8]], as name: String, in folder: String) throws {
        var bytes: [UInt8] = []
        for (number, payload) in payloads.enumerated() {
            SpoolRecord(position: Int64(number + 1), events: 1, receivedAt: 1, payload: payload)
                .append(to: &bytes, payload: payload)
        }
        try FileManager.default.createDirectory(atPath: "\(folder)/spool-1", withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: "\(folder)/spool-1/\(name)"))
    }

    @Test func setsAsideWhatCannotBeRead() async throws {
        try await withFolder { folder in
            try write(
                [Array("{}".utf8), SubmissionJSON.encode(submission(2...2)), Array("later".utf8)],
                as: "1.log",
                in: folder
            )
            try await withSpool(folder) { spool in
                #expect(spool.depth.batches == 3)
                let batch = try #require(try await spool.oldest())
                #expect(batch.submissions == [submission(2...2)])
                #expect(spool.depth.batches == 2)
                #expect(spool.unreadable == 1)
                // What cannot be read is set aside only when it is the first.
                #expect(try await spool.oldest(after: batch.position) == nil)
                try await spool.remove(through: batch.position)
                #expect(try await spool.oldest() == nil)
                #expect(spool.unreadable == 2)
            }
            let left = try #require(try SpoolInspection.all(in: folder).first)
            #expect(left.depth == SpoolDepth())
            #expect(left.unreadable == 2)
            #expect(DamagedSpool.all(in: folder).isEmpty)
        }
    }

    /// The program was downgraded and upgraded again.
    @Test func deliversWhatAnotherVersionHasSetAside() async throws {
        try await withFolder { folder in
            try write([Array("later".utf8)], as: "unreadable", in: folder)
            try await withSpool(folder) { spool in
                #expect(spool.unreadable == 1)
                try await spool.claim(for: one)
            }
            // It holds a request, but none that can be delivered.
            try await withSpool(folder, of: other) { #expect($0.path.hasSuffix("spool-2")) }
            try write([Array("later".utf8), SubmissionJSON.encode(submission(1...2))], as: "unreadable", in: folder)
            try await withSpool(folder, of: one) { spool in
                #expect(spool.unreadable == 1)
                #expect(spool.depth.events == 2)
                let batch = try await spool.oldest()
                #expect(batch?.submissions == [submission(1...2)])
            }
        }
    }

    @Test func deletesAFileThatIsDelivered() async throws {
        try await withFolder { folder in
            let logger = Logger(label: "test")
            let spool = try await Spool.open(in: folder, of: nil, byteLimit: 1 << 20, fileBytes: 1_000, logger: logger)
            try await spool.whileRunning {
                for number in 1...20 { try await spool.append(submission(UInt64(number)...UInt64(number))) }
                let files = {
                    try FileManager.default.subpathsOfDirectory(atPath: folder).count { $0.hasSuffix(".log") }
                }
                let all = try files()
                #expect(all > 5)
                let first = try #require(try await spool.oldest(events: 10))
                try await spool.remove(through: first.position)
                #expect(try files() < all)
                #expect(try await spool.oldest()?.submissions == (11...20).map { submission($0...$0) })
                try await spool.remove(through: 20)
                #expect(try files() == 0)
                // Positions go on.
                try await spool.append(submission(21...21))
                #expect(try await spool.oldest()?.position == 21)
            }
        }
    }

    @Test func knowsTheKeysThatItWasGiven() async throws {
        try await withFolder { folder in
            let key = ValidKey(
                hash: [1, 2, 3],
                holder: KeyHolder(appNumber: 3, appID: "shop", scope: .write, keyPrefix: "trib_w_abcd"),
                expiresAt: 12_345
            )
            try await withSpool(folder) { try await $0.saveKeys([key]) }
            try await withSpool(folder) { spool in
                let saved = try spool.savedKeys()
                #expect(saved == [key])
            }
        }
    }
}
