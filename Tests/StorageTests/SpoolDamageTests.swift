import Events
import Foundation
import Logging
import RandomTesting
@testable import Storage
import Testing
import Time

@Suite("A damaged spool")
struct SpoolDamageTests {
    typealias Base = StorageTesting

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

    private func withSpool<R>(_ folder: String, _ body: (Spool) async throws -> R) async throws -> R {
        let spool = try await Spool.open(
            in: folder,
            of: Self.database,
            byteLimit: 1 << 30,
            fileBytes: 12_000,
            logger: Logger(label: "test")
        )
        return try await spool.whileRunning { try await body(spool) }
    }

    private func copyFiles(_ folder: String, to target: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix(".lock") {
            try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(target)/\(name)")
        }
    }

    private struct Sent {
        /// What is still to be delivered.
        var waiting: [Submission] = []
        var delivered: [Submission] = []
    }

    /// The files that a daemon leaves behind when it is killed: of its requests, some are delivered.
    private func fill(_ folder: String, _ target: String, _ random: inout SeededRandom) async throws -> Sent {
        var requests: [Submission] = []
        for number in 1...90 {
            requests.append(submission(number, bytes: random.chance(10) ? 20_000 : 200))
        }
        return try await withSpool(folder) { spool in
            var sent = Sent()
            for (index, submission) in requests.enumerated() {
                try await spool.append(submission)
                sent.waiting.append(submission)
                if index == 30, let batch = try await spool.oldest(events: 10) {
                    try await spool.remove(through: batch.position)
                    sent.delivered = batch.submissions
                    sent.waiting.removeFirst(batch.submissions.count)
                }
            }
            try copyFiles(folder, to: target)
            return sent
        }
    }

    private struct Result {
        var delivered: [Submission] = []
        var reported = 0
    }

    /// What a daemon does when it starts.
    private func deliver(_ folder: String) async throws -> Result {
        try await withSpool(folder) { spool in
            var result = Result()
            try await drain(spool, &result)
            // It serves.
            let new = submission(1_000, bytes: 10)
            try await spool.append(new)
            #expect(spool.depth.batches == 1)
            try await drain(spool, &result)
            #expect(result.delivered.popLast() == new)
            #expect(spool.depth == SpoolDepth())
            result.reported = DamagedSpool.all(in: folder).reduce(spool.unreadable) { $0 + $1.lost }
            #expect(try SpoolInspection.all(in: folder).map(\.damage) == [nil])
            return result
        }
    }

    private func drain(_ spool: Spool, _ result: inout Result) async throws {
        while let batch = try await spool.oldest(events: 20) {
            result.delivered += batch.submissions
            try await spool.remove(through: batch.position)
        }
    }

    private enum Damage: CaseIterable {
        case bit, truncated, zeroedPage, garbagePage, garbageFile, missing, emptied, removedBytes, insertedBytes
        case copiedFile, renamedFile, copiedPart, movedPart, unreadable

        func apply(to path: String, _ random: inout SeededRandom) throws {
            let url = URL(fileURLWithPath: path)
            var bytes = Array(try Data(contentsOf: url))
            let place = Int.random(in: 0..<bytes.count, using: &random)
            let other = Int.random(in: 0..<bytes.count, using: &random)
            let page = place / 4096 * 4096..<min(bytes.count, place / 4096 * 4096 + 4096)
            let name = "\(Int.random(in: 0...99, using: &random)).log"
            let another = url.deletingLastPathComponent().appending(path: name)
            switch self {
            case .bit: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case .truncated: bytes.removeLast(bytes.count - place)
            case .zeroedPage: for index in page { bytes[index] = 0 }
            case .garbagePage: for index in page { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case .garbageFile: for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
            case .emptied: bytes = []
            case .removedBytes: bytes.removeSubrange(min(place, other)..<max(place, other))
            case .insertedBytes: bytes.insert(contentsOf: [0, 255, 1], at: place)
            case .copiedPart: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)], at: place)
            case .movedPart:
                let part = bytes[min(place, other)..<max(place, other)]
                bytes.replaceSubrange(0..<part.count, with: part)
            case .missing: return try FileManager.default.removeItem(at: url)
            case .copiedFile: return try FileManager.default.copyItem(at: url, to: another)
            case .renamedFile: return try FileManager.default.moveItem(at: url, to: another)
            case .unreadable:
                // A folder cannot be read as a file, whoever reads it.
                try FileManager.default.removeItem(at: url)
                return try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
            }
            try Data(bytes).write(to: url)
        }
    }

    /// The submissions whose records are in the files, byte for byte.
    private func intact(_ folder: String, of sent: [Submission]) throws -> [Submission] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".log") }
        // Each record begins with this byte.
        let places = names.compactMap { FileManager.default.contents(atPath: "\(folder)/\($0)") }.map(Array.init)
            .flatMap { file in file.indices.filter { file[$0] == 0xFF }.map { file[$0...] } }
        return sent.filter { submission in
            let payload = SubmissionJSON.encode(submission)
            var record: [UInt8] = []
            let position = Int64(submission.events[0].id.low)
            SpoolRecord(position: position, events: 1, receivedAt: Base.noon.microseconds, payload: payload)
                .append(to: &record, payload: payload)
            return places.contains { $0.starts(with: record) }
        }
    }

    /// The property: whatever is whole is delivered, nothing else is, and what is not delivered is reported.
    @Test(arguments: TestSeeds.seeds(1))
    func deliversWhatIsWholeAndReportsTheRest(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        try await withFolder { source in
            try await withFolder { target in
                let sent = try await fill(source, target, &random)
                let logs = try FileManager.default.contentsOfDirectory(atPath: "\(target)/spool-1")
                    .filter { $0.hasSuffix(".log") }.sorted()
                #expect(logs.count > 3)
                for damage in Damage.allCases + Damage.allCases {
                    for name in ["note", random.pick(logs)] {
                        let comment: Comment = "seed \(seed), \(damage) of \(name)"
                        try await withFolder { folder in
                            try copyFiles(target, to: folder)
                            try damage.apply(to: "\(folder)/spool-1/\(name)", &random)
                            await expectSoundDelivery(of: sent, in: folder, isNote: name == "note", comment)
                        }
                    }
                }
            }
        }
    }

    private func expectSoundDelivery(of sent: Sent, in folder: String, isNote: Bool, _ comment: Comment) async {
        do {
            let whole = try intact(folder, of: sent.waiting)
            let result = try await deliver(folder)
            let all = sent.waiting + (isNote ? sent.delivered : [])
            #expect(result.delivered.allSatisfy { all.contains($0) }, comment)
            #expect(whole.allSatisfy { result.delivered.contains($0) }, comment)
            let missing = sent.waiting.count { !result.delivered.contains($0) }
            #expect(result.reported == missing, comment)
            if isNote {
                #expect(missing == 0, comment)
            } else {
                #expect(result.delivered.count + missing == sent.waiting.count, comment)
            }
            let again = try await deliver(folder)
            #expect(again.delivered.isEmpty, comment)
        } catch {
            Issue.record(error, comment)
        }
    }

    /// A file is damaged, and another is deleted, while a daemon runs.
    @Test func goesOnWithTheOthers() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                for number in 1...60 { try await spool.append(submission(number, bytes: 1_000)) }
                let log = "\(folder)/spool-1/"
                let names = try FileManager.default.contentsOfDirectory(atPath: log).filter { $0.hasSuffix(".log") }
                    .sorted()
                var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: log + names[0])))
                bytes[1_500] ^= 1
                try Data(bytes).write(to: URL(fileURLWithPath: log + names[0]))
                try FileManager.default.removeItem(atPath: log + names[2])
                // The file that requests are appended to.
                try FileManager.default.removeItem(atPath: log + names[names.count - 1])
                try await spool.append(submission(61, bytes: 10))
                var result = Result()
                try await drain(spool, &result)
                #expect(result.delivered.last == submission(61, bytes: 10))
                #expect(!result.delivered.contains(submission(2, bytes: 1_000)))
                #expect(result.delivered.contains(submission(3, bytes: 1_000)))
                #expect(spool.depth == SpoolDepth())
                let damaged = DamagedSpool.all(in: folder)
                #expect(damaged.reduce(0) { $0 + $1.lost } == 61 - result.delivered.count)
                #expect(damaged.contains { $0.path.contains("-spool-1-\(names[0].dropLast(4))-lost-") })
            }
        }
    }

    /// The machine lost its power while a request was written, which nobody was answered for.
    @Test func dropsATornEnd() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                for number in 1...3 { try await spool.append(submission(number, bytes: 10)) }
            }
            let name = "\(folder)/spool-1/\(SpoolIndex.name(1))"
            let payload = SubmissionJSON.encode(submission(4, bytes: 10))
            var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: name)))
            SpoolRecord(position: 4, events: 1, receivedAt: 0, payload: payload).append(to: &bytes, payload: payload)
            bytes.removeLast(5)
            try Data(bytes).write(to: URL(fileURLWithPath: name))
            let result = try await deliver(folder)
            #expect(result.delivered == (1...3).map { submission($0, bytes: 10) })
            #expect(result.reported == 0)
            #expect(DamagedSpool.all(in: folder).isEmpty)
        }
    }

    /// The daemon was killed after it noted the delivery, and before it deleted the file.
    @Test func doesNotDeliverAgainWhatIsNotedAsDelivered() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { spool in
                for number in 1...3 { try await spool.append(submission(number, bytes: 10)) }
                try await withFolder { copy in
                    try copyFiles(folder, to: copy)
                    SpoolNote(path: "\(copy)/spool-1/note").update { $0.delivered = 2 }
                    try await withSpool(copy) { spool in
                        #expect(spool.depth.batches == 1)
                        let left = try await spool.oldest()
                        #expect(left?.submissions == [submission(3, bytes: 10)])
                    }
                    SpoolNote(path: "\(copy)/spool-1/note").update { $0.delivered = 3 }
                    try await withSpool(copy) { #expect($0.depth == SpoolDepth()) }
                    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(copy)/spool-1") == ["note"])
                }
            }
        }
    }

    /// Without a sound note of the database, the requests belong to the one that is there.
    @Test func isOfTheDatabaseThatClaimsItIfItsOwnIsUnknown() async throws {
        try await withFolder { folder in
            try await withSpool(folder) { try await $0.append(submission(1, bytes: 10)) }
            try Data("crc32 0\none".utf8).write(to: URL(fileURLWithPath: "\(folder)/spool-1.origin"))
            #expect(try SpoolInspection.all(in: folder).first?.damage?.hasSuffix("spool-1.origin is damaged") == true)
            try await withSpool(folder) { spool in
                #expect(spool.depth.batches == 1)
                try await spool.claim(for: Self.database)
                #expect(spool.origin == Self.database)
            }
        }
    }
}
