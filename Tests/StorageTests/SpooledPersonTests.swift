import Events
import Foundation
import JSONReading
import Logging
import Postgres
import Time
@testable import Storage
import Testing

@Suite("A person in the spool")
struct SpooledPersonTests {
    typealias Base = StorageTesting

    /// Only the spool links alice's tablet to her.
    private static let waiting = [
        Base.event(1, user: "alice", device: "tablet"), Base.event(2, device: "tablet", click: "tap"),
        Base.event(3, user: "bob", device: "phone"), Base.event(4, click: "tap"),
    ]
    private static let letters = [
        Base.rejection(#"{"user_id":"alice"}"#), Base.rejection(#"{"user_id":"bob"}"#),
    ]

    @Test func isFoundWithWhatOnlyTheSpoolKnows() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await base.store([Base.event(9, user: "alice")])
                    try await spool.append(base.submission(Self.waiting, rejections: Self.letters))
                    let summary = try await base.people(folder).summary(of: PersonKey(.click, "tap"), in: base.app)
                    #expect(summary.person.keys.map(\.text) == ["ualice", "dtablet", "ctap"])
                    #expect(summary.events.count == 1)
                    #expect(summary.spooledEvents == 3)
                    #expect(summary.rejectedEvents == 1)
                }
            }
        }
    }

    /// The command was given the URL of a further database, whose spool lies in a folder of its own.
    @Test func isTakenOutOfOneInAFolderOfItsOwn() async throws {
        try await Base.with { base in
            try await Base.withFolder { root in
                let folder = root + "/games"
                try await base.withSpool(folder) { spool in
                    try await spool.claim(for: base.pool.withConnection { try DatabaseIdentity.read($0) })
                    try await spool.append(base.submission([Base.event(5, user: "alice")]))
                    let spools = try await SpoolFolder(path: root, of: base.pool)
                    let people = PersonStore(pool: base.pool, spools: spools, packed: NothingPacked())
                    _ = try await people.erase(PersonKey(.user, "alice"), in: base.app)
                    #expect(try !Base.holds(folder, "alice"))
                }
            }
        }
    }

    /// A daemon has the file open, continues to write to it, and then delivers it.
    @Test func isTakenOutOfIt() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.append(base.submission(Self.waiting, rejections: Self.letters))
                    try await spool.append(base.submission([Base.event(5, user: "alice")]))
                    try await spool.append(base.submission([Base.event(6, user: "bob")]))
                    let receipt = try #require(
                        try await base.people(folder).erase(PersonKey(.user, "alice"), in: base.app)
                    )
                    #expect(receipt.counts["spooled_event"] == 4)
                    #expect(receipt.counts["spooled_rejected_event"] == 1)
                    for id in ["alice", "tablet", "tap"] { #expect(try !Base.holds(folder, id), "\(id) is left") }
                    #expect(try Base.holds(folder, "bob"))

                    try await spool.append(base.submission([Base.event(7, user: "carol")]))
                    #expect(spool.depth.events == 3)
                    // A request without events is left in the place of the one that is gone.
                    #expect(spool.depth.batches == 4)
                    let batch = try #require(try await spool.oldest())
                    #expect(batch.submissions.flatMap(\.events).map(\.id.low) == [3, 6, 7])
                    _ = try await base.writer.store(contentsOf: batch.submissions)
                    try await spool.remove(through: batch.position)
                    #expect(spool.depth == SpoolDepth())
                    #expect(try await base.texts("select event from rejected_event") == [#"{"user_id":"bob"}"#])
                    // After the delivery, the file does not hold it either.
                    #expect(try !Base.holds(folder, "bob"))
                }
            }
        }
    }

    /// The last waiting request is removed. The daemon must not count it any more.
    @Test func leavesADepthThatIsRight() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    try await spool.append(base.submission([Base.event(5, user: "alice")]))
                    _ = try await base.people(folder).erase(PersonKey(.user, "alice"), in: base.app)
                    try await spool.recount()
                    #expect(spool.depth.events == 0)
                    let batch = try #require(try await spool.oldest())
                    #expect(batch.submissions.map(\.events) == [[]])
                    try await spool.remove(through: batch.position)
                    #expect(spool.depth == SpoolDepth())
                }
            }
        }
    }

    /// A request that cannot be read, waiting or set aside, is removed whole if it holds an id. So are damaged bytes.
    @Test func isTakenOutOfWhatCannotBeRead() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                let spool = "\(folder)/spool-1"
                try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
                for (number, name) in ["1.log", "unreadable"].enumerated() {
                    var bytes: [UInt8] = []
                    for (place, user) in ["alice", "bob"].enumerated() {
                        let submission = base.submission([Base.event(UInt64(place), user: user)])
                        let payload = SubmissionJSON.encode(submission) + [UInt8(ascii: "?")]
                        SpoolRecord(position: Int64(place + 1), events: 1, receivedAt: 0, payload: payload)
                            .append(to: &bytes, payload: payload)
                    }
                    if number == 0 { bytes += Array(#"{"user_id":"alice"}"#.utf8) }
                    try Data(bytes).write(to: URL(fileURLWithPath: "\(spool)/\(name)"))
                }
                _ = try await base.store([Base.event(9, user: "alice")])
                let receipt = try #require(
                    try await base.people(folder).erase(PersonKey(.user, "alice"), in: base.app)
                )
                #expect(receipt.counts["spooled_unreadable_request"] == 3)
                #expect(try !Base.holds(folder, "alice"))
                #expect(try Base.holds(folder, "bob"))
                // No position is missing.
                #expect(try SpoolInspection.all(in: folder).map(\.depth.batches) == [2])
            }
        }
    }

    /// There, the event is a text in a text, and its quotation marks are escaped.
    @Test func goesWithADeadLetterThatCannotBeRead() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                let spool = "\(folder)/spool-1"
                try FileManager.default.createDirectory(atPath: spool, withIntermediateDirectories: true)
                var bytes: [UInt8] = []
                for (place, user) in [#"al"ice"#, "bob"].enumerated() {
                    let event = "{\"user_id\":\(JSONWriter.quoted(user))}"
                    let rejection = Rejection(index: 0, code: .invalid, message: "", redactedEvent: event)
                    let submission = base.submission([], rejections: [rejection])
                    let payload = SubmissionJSON.encode(submission) + [UInt8(ascii: "?")]
                    SpoolRecord(position: Int64(place + 1), events: 0, receivedAt: 0, payload: payload)
                        .append(to: &bytes, payload: payload)
                }
                try Data(bytes).write(to: URL(fileURLWithPath: "\(spool)/1.log"))
                _ = try await base.store([Base.event(9, user: #"al"ice"#)])
                let receipt = try #require(
                    try await base.people(folder).erase(PersonKey(.user, #"al"ice"#), in: base.app)
                )
                #expect(receipt.counts["spooled_unreadable_request"] == 1)
                #expect(try !Base.holds(folder, "ice"))
                #expect(try Base.holds(folder, "bob"))
            }
        }
    }

    /// Of two events in flight, the one that is received later belongs to a new person.
    @Test func staysWhereItWasReceivedLater() async throws {
        try await Base.with { base in
            try await Base.withFolder { folder in
                try await base.withSpool(folder) { spool in
                    let later = Timestamp.now.advanced(by: .seconds(3_600))
                    try await spool.append(base.submission([Base.event(1, user: "alice")], receivedAt: later))
                    let receipt = try await base.people(folder).erase(PersonKey(.user, "alice"), in: base.app)
                    #expect(receipt == nil)
                    let batch = try #require(try await spool.oldest())
                    let stored = try await base.writer.store(contentsOf: batch.submissions)
                    #expect(stored == [WriteReceipt()])
                }
            }
        }
    }
}
