import Events
import InboundLinks
import Postgres
import RandomTesting
@testable import Reporting
@testable import Storage
import Testing
@testable import Timelines

@Suite("The report on generations")
struct GenerationsReportTests {
    private typealias E = OracleEvents

    /// Ann's post brings Bob and Cat, Bob's brings Dan. Eve comes by herself. Zoe, who never installed, invites Fay.
    private static let events: [Event] = [
        E.event(1, at: 0, user: "ann", E.install),
        E.event(2, at: 100, user: "ann", E.post(refs: ["gift"], postID: "p1")),
        E.event(3, at: 200, user: "bob", .linkClick(E.touch(postID: "p1"))),
        E.event(4, at: 300, user: "bob", E.install),
        E.event(5, at: 86_400, user: "bob", E.post(refs: ["boast"], postID: "p2")),
        E.event(6, at: 86_400, user: "cat", .linkClick(E.touch(postID: "p1"))),
        E.event(7, at: 86_460, user: "cat", E.install),
        E.event(8, at: 172_800, user: "dan", .linkClick(E.touch(postID: "p2"))),
        E.event(9, at: 172_860, user: "dan", E.install),
        E.event(10, at: 0, user: "eve", .inboundLink(E.touch(.search, refs: ["ad"]))),
        E.event(11, at: 20, user: "eve", E.install),
        E.event(12, at: 0, user: "zoe", E.post(refs: ["gift"], postID: "p9")),
        E.event(13, at: 50, user: "fay", .linkClick(E.touch(postID: "p9"))),
        E.event(14, at: 90, user: "fay", E.install),
        E.event(20, at: 259_200, user: "bob", E.conversion("buy", 2_500_000)),
        E.event(21, at: 259_200, user: "dan", E.conversion("buy", 1_000_000)),
        // Neither is of a row: she never installed.
        E.event(22, at: 259_200, user: "zoe", E.conversion("buy", 7_000_000)),
    ]

    @Test func followsInvitationsFromTheFirstPersonOn() throws {
        #expect(
            try Asking.rows("generations", of: Self.events) == [
                ["0", "2", "1", "1", "2", "1.000000", "2.000000", "0.003472", "0", "0.000000", "0"],
                ["1", "3", "1", "1", "1", "0.333333", "1.000000", "1.997222", "2.5", "0.833333", "0"],
                ["2", "1", "0", "0", "0", "0.000000", "", "", "1", "1.000000", "0"],
                ["total", "6", "2", "2", "3", "0.500000", "1.500000", "1.000347", "3.5", "0.583333", "0"],
            ]
        )
    }

    /// Bob and Cat came from Ann's posts, Dan from Bob's. Of Bob, who is of generation 1, Dan is the first below.
    @Test func countsWhatIsBelowAPerson() throws {
        func told(_ id: String) throws -> [ArraySlice<String>] {
            try Asking.rows("generations", ["below": id], of: Self.events).map { $0[...4] }
        }
        #expect(
            try told("ann") == [
                ["1", "2", "1", "1", "1"], ["2", "1", "0", "0", "0"], ["total", "3", "1", "1", "1"],
            ]
        )
        #expect(try told("bob") == [["1", "1", "0", "0", "0"], ["total", "1", "0", "0", "0"]])
        // She never installed.
        #expect(try told("zoe") == [["1", "1", "0", "0", "0"], ["total", "1", "0", "0", "0"]])
        #expect(try told("dan") == [["total", "0", "0", "0", "0"]])
    }

    /// Ann invited Bob, and Bob Ann.
    @Test func beginsACircleWithTheGivenPerson() throws {
        let events = [
            E.event(1, at: 100, user: "ann", E.post(postID: "p1")),
            E.event(2, at: 200, user: "bob", .linkClick(E.touch(postID: "p1"))),
            E.event(3, at: 300, user: "bob", E.install),
            E.event(4, at: 350, user: "bob", E.post(postID: "p2")),
            E.event(5, at: 400, user: "ann", .linkClick(E.touch(postID: "p2"))),
            E.event(6, at: 500, user: "ann", E.install),
        ]
        for id in ["ann", "bob"] {
            let rows = try Asking.rows("generations", ["below": id], of: events)
            #expect(rows.map { $0[...1] } == [["1", "1"], ["total", "1"]], "\(id)")
        }
    }

    @Test func countsWhatIsDeeperTogether() throws {
        let rows = try Asking.rows("generations", ["depth": "1"], of: Self.events)
        #expect(rows.map { $0[0] } == ["0", "1", "(others)", "total"])
        #expect(rows[2][1...] == ["1", "0", "0", "0", "0.000000", "", "", "1", "1.000000", "0"])
    }

    /// The chain of Bob, Cat and Dan begins with Ann's install, which no touch brought, and Fay's with nobody's.
    @Test func groupsByTheInstallThatAChainBeginsWith() throws {
        let rows = try Asking.rows("generations", ["by": "ref"], of: Self.events)
        #expect(
            rows.map { $0[...2] } == [
                ["0", "ad", "1"], ["total", "ad", "1"],
                ["0", "(none)", "0"], ["1", "(none)", "1"], ["total", "(none)", "1"],
                ["0", "direct", "1"], ["1", "direct", "2"], ["2", "direct", "1"], ["total", "direct", "4"],
                ["0", "total", "2"], ["1", "total", "3"], ["2", "total", "1"], ["total", "total", "6"],
            ]
        )
        let kept = try Asking.rows("generations", ["where": "ref=ad"], of: Self.events)
        #expect(kept.map { $0[...1] } == [["0", "1"], ["total", "1"]])
    }

    /// The inviter's install lies before the range, or after it.
    @Test func knowsInvitersOfAnyTime() throws {
        let events = [
            E.event(1, at: -4_320_000, user: "ann", E.install),
            E.event(2, at: -1, user: "ann", E.post(refs: ["gift"], postID: "p1")),
            E.event(3, at: 10, user: "bob", .linkClick(E.touch(postID: "p1"))),
            E.event(4, at: 60, user: "bob", E.install),
            E.event(5, at: 100, user: "cat", E.post(refs: ["gift"], postID: "p2")),
            E.event(6, at: 110, user: "dan", .linkClick(E.touch(postID: "p2"))),
            E.event(7, at: 130, user: "dan", E.install),
            E.event(8, at: 1_728_000, user: "cat", .linkClick(E.touch(postID: "p1"))),
            E.event(9, at: 1_728_060, user: "cat", E.install),
        ]
        let rows = try Asking.rows("generations", of: events)
        #expect(rows.map { $0[...1] } == [["0", "0"], ["1", "1"], ["2", "1"], ["total", "2"]])
    }

    /// Ann posted before she installed, through a post of Bob, whom her own post had brought.
    @Test func beginsACircleWithItsEarliestInstall() throws {
        let events = [
            E.event(1, at: 100, user: "ann", E.post(postID: "p1")),
            E.event(2, at: 200, user: "bob", .linkClick(E.touch(postID: "p1"))),
            E.event(3, at: 300, user: "bob", E.install),
            E.event(4, at: 350, user: "bob", E.post(postID: "p2")),
            E.event(5, at: 400, user: "ann", .linkClick(E.touch(postID: "p2"))),
            E.event(6, at: 500, user: "ann", E.install),
            E.event(7, at: 600, user: "cat", .linkClick(E.touch(postID: "p1"))),
            E.event(8, at: 700, user: "cat", E.install),
        ]
        let rows = try Asking.rows("generations", of: events)
        // Bob, Ann, Cat. Nobody invited Bob.
        #expect(
            rows.map { [$0[0], $0[1], $0[4]] } == [
                ["0", "1", "1"], ["1", "1", "1"], ["2", "1", "0"], ["total", "3", "2"],
            ]
        )
    }

    /// The tree of random people equals what following each chain by itself finds.
    @Test(arguments: TestSeeds.seeds(200)) func resolvesRandomCircles(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let count = Int.random(in: 1...12, using: &random)
        let inviters = (0..<count).map { _ in Int32.random(in: -1..<Int32(count), using: &random) }
        let tree = InvitationTree(inviters: inviters) { $0 < $1 }
        for person in 0..<count {
            var chain = [person]
            while let last = chain.last, inviters[last] >= 0 {
                let next = Int(inviters[last])
                guard let entry = chain.firstIndex(of: next) else {
                    chain.append(next)
                    continue
                }
                let first = chain[entry...].min() ?? next
                chain = Array(chain[...(chain.firstIndex(of: first) ?? entry)])
                break
            }
            #expect(Int(tree.generations[person]) == chain.count - 1, "seed \(seed): \(inviters), \(person)")
            #expect(Int(tree.roots[person]) == chain.last, "seed \(seed): \(inviters), \(person)")
            #expect(Int(tree.inviters[person]) == (chain.count > 1 ? chain[1] : -1), "seed \(seed): \(inviters)")
        }
    }
}

@Suite("Doubtful installs")
struct DoubtfulInstallsTests {
    private typealias E = OracleEvents

    private func doubtful(_ events: [Event]) throws -> String? {
        try Asking.rows("generations", of: events).last?.last
    }

    @Test func areThoseOfPeopleWhoInviteThemselves() throws {
        #expect(
            try doubtful([
                E.event(1, at: 0, user: "ann", E.post(postID: "p1")),
                E.event(2, at: 10, user: "ann", .linkClick(E.touch(postID: "p1"))),
                E.event(3, at: 60, user: "ann", E.install),
            ]) == "1"
        )
    }

    /// Ann's install, of her own post and 5 s after the tap, has two reasons.
    @Test func areCountedByTheirFirstReason() throws {
        let events = [
            E.event(1, at: 0, user: "ann", E.post(postID: "p1")),
            E.event(2, at: 10, user: "ann", .linkClick(E.touch(postID: "p1"))),
            E.event(3, at: 15, user: "ann", E.install),
            E.event(4, at: 10, user: "bob", .linkClick(E.touch(postID: "p1"))),
            E.event(5, at: 15, user: "bob", E.install),
            E.event(6, at: 15, user: "cat", E.install),
        ]
        #expect(
            try Asking.rows("generations", ["by": "doubt"], of: events).map { $0[...2] } == [
                ["0", "self", "1"], ["total", "self", "1"],
                ["0", "speed", "0"], ["1", "speed", "1"], ["total", "speed", "1"],
                ["0", "(none)", "1"], ["total", "(none)", "1"],
                ["0", "total", "2"], ["1", "total", "1"], ["total", "total", "3"],
            ]
        )
        let kept = try Asking.rows("generations", ["where": "doubt=speed,(none)"], of: events)
        #expect(kept.map { $0[...1] } == [["0", "1"], ["1", "1"], ["total", "2"]])
    }

    @Test(arguments: [("by", "doubt"), ("where", "doubt!=(none)")]) func areAKeyOfNoOtherReport(
        parameter: String,
        value: String
    ) throws {
        for report in ReportCatalogue.descriptions where report.name != "generations" {
            guard report.parameters.contains(where: { $0.name == parameter }) else { continue }
            #expect {
                try ReportRequest.parse(
                    name: report.name,
                    parameters: [(parameter, value)],
                    origin: .http,
                    app: Asking.app(),
                    now: E.time(0)
                )
            } throws: { "\($0)".contains("the report generations knows by=doubt and where=doubt=self") }
        }
    }

    /// Long after the 90 days within which another's install makes one from the same device doubtful.
    @Test(arguments: [("phone", "1"), ("tablet", "0")])
    func areThoseFromADeviceOfTheInviter(device: String, expected: String) throws {
        #expect(
            try doubtful([
                E.event(1, at: -8_640_000, user: "ann", device: "phone", E.install),
                E.event(2, at: 0, user: "ann", E.post(postID: "p1")),
                E.event(3, at: 10, user: "bob", .linkClick(E.touch(postID: "p1"))),
                E.event(4, at: 60, user: "bob", device: device, E.install),
            ]) == expected
        )
    }

    @Test(arguments: [(-90.0, "1"), (-90.00001, "0")])
    func areThoseFromADeviceThatAnotherPersonInstalledFrom(days: Double, expected: String) throws {
        #expect(
            try doubtful([
                E.event(1, at: days * E.day, user: "ann", device: "phone", E.install),
                E.event(2, at: 0, user: "bob", device: "phone", E.install),
            ]) == expected
        )
    }

    /// What is known of such devices has a limit in bytes: 24 for each install.
    @Test func areRefusedIfTheyAreTooMany() async throws {
        try await FigureTesting.with(poolSize: 2) { testing in
            let app = try await AppStore(pool: testing.pool).made("shared", currency: RandomStream.currency)
            let installs = [
                E.event(1, at: 0, user: "ann", device: "phone", E.install),
                E.event(2, at: 10, user: "bob", device: "phone", E.install),
                E.event(3, at: 10, user: "cat", device: "tablet", E.install),
            ]
            _ = try await testing.writer.store(installs, of: app, receivedAt: E.time(100))
            try await testing.pool.withConnection { connection in
                try connection.transaction(readOnly: true) {
                    let devices = try SharedDevices(app: app, limit: 48, on: connection)
                    #expect(installs.map { devices.device(ofInstall: $0.id) != nil } == [true, true, false])
                    do {
                        _ = try SharedDevices(app: app, limit: 47, on: connection)
                        Issue.record("two installs take more")
                    } catch TimelineError.tooManySharedDevices {}
                }
            }
        }
    }

    /// The months of a device's installs are apart. Nobody is named by two of them: by links they are dan's and eve's.
    @Test func areFoundInTheInstallsOfAllMonths() async throws {
        try await FigureTesting.with(poolSize: 2) { testing in
            let app = try await AppStore(pool: testing.pool).made("months", currency: RandomStream.currency)
            let later = 65 * E.day
            let installs = [
                E.event(1, at: 0, user: "ann", device: "phone", E.install),
                E.event(2, at: later, user: "bob", device: "phone", E.install),
                E.event(3, at: 0, user: "cat", device: "tablet", E.install),
                E.event(4, at: later, user: "cat", device: "tablet", E.install),
                E.event(5, at: 0, device: "radio", E.install),
                E.event(6, at: later, user: "dan", device: "radio", E.install),
                E.event(7, at: 0, device: "car", E.install),
                E.event(8, at: later, user: "fay", device: "car", E.install),
            ]
            let use = E.event(9, at: 20 * E.day, user: "eve", device: "car", .appOpen)
            _ = try await testing.writer.store(installs + [use], of: app, receivedAt: E.time(2 * later))
            try await testing.pool.withConnection { connection in
                try connection.transaction(readOnly: true) {
                    try ScanPlanning.byOrder.apply(on: connection)
                    let devices = try SharedDevices(app: app, limit: .max, on: connection)
                    let found = installs.map { devices.device(ofInstall: $0.id) }
                    #expect(found.map { $0 != nil } == [true, true, false, false, false, false, true, true])
                    #expect(found[0] == found[1] && found[6] == found[7] && found[0] != found[6])
                }
            }
        }
    }

    @Test func areNotThoseThatComeAgainOnADeviceOfTheirOwn() throws {
        #expect(
            try doubtful([
                E.event(1, at: 0, user: "ann", device: "phone", E.install),
                E.event(2, at: 60, user: "ann", device: "phone", E.install),
                E.event(3, at: 90, user: "bob", device: "tablet", E.install),
            ]) == "0"
        )
    }

    @Test(arguments: [(9.999999, "1"), (10, "0")])
    func areThoseTooSoonAfterTheTap(seconds: Double, expected: String) throws {
        #expect(
            try doubtful([
                E.event(1, at: 100, user: "ann", .linkClick(E.touch())),
                E.event(2, at: 100 + seconds, user: "ann", E.install),
                // Nobody knows when that link was tapped.
                E.event(3, at: 100, user: "bob", .install(Install(limitAdTracking: false, link: E.touch()))),
                // An open of the app is no tap.
                E.event(4, at: 100, user: "cat", .inboundLink(E.touch())),
                E.event(5, at: 101, user: "cat", E.install),
            ]) == expected
        )
    }

    @Test(arguments: [(21, 180.0, "21"), (20, 180, "0"), (21, 181, "0")])
    func areThoseOfABurst(people: UInt64, seconds: Double, expected: String) throws {
        var events = [E.event(1, at: 0, user: "ann", E.post(postID: "p1"))]
        for person in 0..<people {
            let time = 100 + Double(person) * seconds
            events += [
                E.event(10 + 2 * person, at: time, user: "u\(person)", .linkClick(E.touch(postID: "p1"))),
                E.event(11 + 2 * person, at: time + 60, user: "u\(person)", E.install),
            ]
        }
        #expect(try doubtful(events) == expected)
    }
}
