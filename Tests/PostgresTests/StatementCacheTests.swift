import Testing

@testable import Postgres

@Suite struct StatementCacheTests {
    private static func never(_: Int) -> Bool { false }

    @Test func preparesAtTheSecondUse() {
        var cache = StatementCache(limit: 2)
        #expect(cache.plan("a", types: [], isNull: Self.never) == .runUnnamed)
        #expect(cache.plan("a", types: [], isNull: Self.never) == .prepare(name: "s1", types: []))
        #expect(cache.plan("a", types: [], isNull: Self.never) == .runPrepared(name: "s1"))
    }

    @Test func dropsTheLeastRecentlyUsed() {
        var cache = StatementCache(limit: 2)
        for sql in ["a", "a", "b", "a", "c"] {
            _ = cache.plan(sql, types: [], isNull: Self.never)
        }
        #expect(cache.count == 2)
        #expect(cache.takeDiscarded() == [])
        #expect(cache.plan("a", types: [], isNull: Self.never) == .runPrepared(name: "s1"))
        _ = cache.plan("c", types: [], isNull: Self.never)
        _ = cache.plan("d", types: [], isNull: Self.never)
        #expect(cache.takeDiscarded() == ["s1"])
    }

    @Test func nullFitsAnyType() {
        var cache = StatementCache(limit: 2)
        _ = cache.plan("a", types: [20], isNull: Self.never)
        #expect(cache.plan("a", types: [0]) { _ in true } == .prepare(name: "s1", types: [20]))
        #expect(cache.plan("a", types: [20], isNull: Self.never) == .runPrepared(name: "s1"))
    }

    @Test func anotherTypeIsPreparedAnew() {
        var cache = StatementCache(limit: 2)
        _ = cache.plan("a", types: [0, 20], isNull: Self.never)
        _ = cache.plan("a", types: [0, 20], isNull: Self.never)
        let plan = cache.plan("a", types: [16, 0]) { $0 == 1 }
        #expect(plan == .prepare(name: "s2", types: [16, 20]))
        #expect(cache.takeDiscarded() == ["s1"])
    }

    @Test func aLimitOfZeroPreparesNothing() {
        var cache = StatementCache(limit: 0)
        for _ in 0..<3 {
            #expect(cache.plan("a", types: [], isNull: Self.never) == .runUnnamed)
        }
    }
}
