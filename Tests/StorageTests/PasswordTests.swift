import Dispatch
import RandomTesting
import Synchronization
import Testing

@testable import Storage

@Suite("Passwords")
struct PasswordTests {
    static let cheap = PasswordHash.Cost(exponent: 4, blockSize: 1, passes: 1)

    @Test(arguments: [
        ("short", "12 characters"), ("elevenbytes", "12 characters"), (String(repeating: "abcde", count: 205), "1024"),
        ("ann.baker@example.com", "e-mail"), ("ANN.BAKER@example.com", "e-mail"), ("password1234", "many people"),
        ("PassWord1234", "many people"), ("aaaaaaaaaaaa", "five different"),
        ("121212121212121", "five different"), ("qwertyuiopasdfghjkl", "many people"),
    ])
    func areRefused(password: String, reason: String) {
        let error = #expect(throws: UserStoreError.self) {
            try PasswordRule.check(password, of: "ann.baker@example.com")
        }
        #expect(error?.description.contains(reason) == true, "\(password)")
    }

    @Test(arguments: ["twelve bytes", "correct mule cell pin", "пароль-мой", String(repeating: "abcd ", count: 204)])
    func areTaken(password: String) throws {
        try PasswordRule.check(password, of: "ann.baker@example.com")
    }

    @Test func areSomeHundredsThatAreCommon() {
        #expect((200...1_000).contains(CommonPasswords.all.count))
        for password in CommonPasswords.all {
            #expect(password.utf8.count >= PasswordRule.length.lowerBound && password == password.lowercased())
        }
    }

    @Test(arguments: TestSeeds.seeds(40, in: 2)) func matchTheirHashAlone(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var random = SeededRandom(seed: seed)
            let letters = Array("abcXYZ 0129äß🙂\u{0}")
            // To HMAC, NULs alone would be the empty password: it pads keys with them (RFC 2104).
            let count = Int.random(in: 1...40, using: &random)
            let password = String((0..<count).map { _ in letters.randomElement(using: &random) ?? "a" }) + "x"
            let hash = try #require(PasswordHash(password, cost: Self.cheap))
            let stored = try #require(PasswordHash(stored: hash.text), "seed \(seed)")
            #expect(stored == hash && stored.matches(password) == true, "seed \(seed)")
            #expect(stored.matches(password + "a") == false && stored.matches("") == false, "seed \(seed)")
            #expect(PasswordHash(password, cost: Self.cheap) != hash, "each hash has a salt of its own")
        }
    }

    /// What stands in the table may be damaged, or a later version's.
    @Test func areNeverRightWithADamagedHash() throws {
        let hash = try #require(PasswordHash("twelve bytes", cost: Self.cheap))
        let parts = hash.text.split(separator: " ").map(String.init)
        for damaged in ["", "x", "scrypt", hash.text + " x", String(hash.text.dropLast()), "argon2 " + hash.text] {
            #expect(PasswordHash(stored: damaged) == nil, "\(damaged)")
        }
        for (index, value) in [(1, "40"), (1, "-1"), (1, "\(Int.max)"), (2, "0"), (3, "\(Int.max)")] {
            var changed = parts
            changed[index] = value
            #expect(PasswordHash(stored: changed.joined(separator: " "))?.matches("twelve bytes") == nil, "\(changed)")
        }
    }

    private final class Running: Sendable {
        let counts = Mutex((now: 0, most: 0))
    }

    @Test func areComputedTwoAtOnce() async throws {
        let work = PasswordWork()
        let running = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<PasswordWork.limit {
                group.addTask {
                    try await work.run {
                        running.counts.withLock {
                            $0.now += 1
                            $0.most = max($0.most, $0.now)
                        }
                        _ = PasswordHash("twelve bytes", cost: Self.cheap)
                        running.counts.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.counts.withLock { $0.now == 0 && (1...2).contains($0.most) })
        #expect(work.total == PasswordWork.limit)
    }

    @Test func areRefusedWhereTooManyWait() async throws {
        let work = PasswordWork()
        let gate = DispatchSemaphore(value: 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<PasswordWork.limit { group.addTask { try await work.run { gate.wait() } } }
            while work.total < PasswordWork.limit { await Task.yield() }
            await #expect(throws: UserStoreError.busy) { try await work.run {} }
            for _ in 0..<PasswordWork.limit { gate.signal() }
            try await group.waitForAll()
        }
        try await work.run {}
    }
}
