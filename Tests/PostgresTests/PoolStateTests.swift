import Testing

@testable import Postgres

@Suite struct PoolStateTests {
    private typealias State = PoolState<Int, String>

    @Test func lendsUpToItsSizeAndThenQueues() {
        var state = State(size: 2)
        for _ in 0..<2 {
            guard case .granted(.new) = state.admit() else {
                Issue.record("a new connection was expected")
                return
            }
        }
        guard case .wait = state.admit() else {
            Issue.record("a wait was expected")
            return
        }
        #expect(state.leasedCount == 2)
    }

    @Test func servesInTheOrderOfAsking() {
        var state = State(size: 1)
        _ = state.admit()
        for name in ["a", "b", "c"] {
            state.enqueue(name, id: state.makeWaiterID())
        }
        var served: [String] = []
        for connection in 1...3 {
            let next = state.giveBack(connection).next
            served.append(next?.waiter ?? "nobody")
            guard case .idle(connection)? = next?.lease else {
                Issue.record("the connection that came back was expected")
                return
            }
        }
        #expect(served == ["a", "b", "c"])
        #expect(state.giveBack(4).next == nil)
        #expect(state.idleCount == 1)
        #expect(state.leasedCount == 0)
    }

    @Test func nobodyOvertakesAWaiter() {
        var state = State(size: 1)
        _ = state.admit()
        state.enqueue("first", id: 1)
        #expect(state.giveBack(1).next?.waiter == "first")
        guard case .wait = state.admit() else {
            Issue.record("the place belongs to the first")
            return
        }
    }

    @Test func aSpareUseComesAfterAllOthers() {
        var state = State(size: 1)
        _ = state.admit()
        state.enqueue("spare", id: 1, isSpare: true)
        state.enqueue("other spare", id: 2, isSpare: true)
        state.enqueue("first", id: 3)
        #expect(state.waiterCount == 1)
        #expect(state.giveBack(1).next?.waiter == "first")
        state.enqueue("second", id: 4)
        #expect(state.giveBack(1).next?.waiter == "second")
        #expect(state.removeWaiter(1) == "spare")
        #expect(state.giveBack(1).next?.waiter == "other spare")
        #expect(state.giveBack(1).next == nil)
        #expect(state.leasedCount == 0)
    }

    @Test func growingServesWhoWaits() {
        var state = State(size: 1)
        _ = state.admit()
        for name in ["a", "b", "c"] { state.enqueue(name, id: state.makeWaiterID()) }
        #expect(state.grow(to: 3).map(\.waiter) == ["a", "b"])
        #expect(state.leasedCount == 3)
        #expect(state.grow(to: 2).isEmpty)
        #expect(state.size == 3)
        #expect(state.giveBack(1).next?.waiter == "c")
    }

    @Test func closingRefusesSpareUses() {
        var state = State(size: 1)
        _ = state.admit()
        state.enqueue("spare", id: 1, isSpare: true)
        #expect(state.beginClosing().waiters == ["spare"])
        #expect(state.removeWaiter(1) == nil)
    }

    @Test func aLostConnectionLeavesItsPlace() {
        var state = State(size: 1)
        _ = state.admit()
        state.enqueue("a", id: 1)
        guard case .new? = state.giveBack(nil).next?.lease else {
            Issue.record("a new connection was expected")
            return
        }
        #expect(state.leasedCount == 1)
    }

    @Test func aWaiterLeavesOnce() {
        var state = State(size: 1)
        _ = state.admit()
        state.enqueue("a", id: 1)
        #expect(state.removeWaiter(1) == "a")
        #expect(state.removeWaiter(1) == nil)
        #expect(state.giveBack(1).next == nil)
    }

    @Test func closingRefusesAndWaitsForLeases() {
        var state = State(size: 2)
        _ = state.admit()
        _ = state.admit()
        _ = state.giveBack(1)
        state.enqueue("waiter", id: 1)
        let (idle, waiters) = state.beginClosing()
        #expect(idle == [1])
        #expect(waiters == ["waiter"])
        guard case .closed = state.admit() else {
            Issue.record("a refusal was expected")
            return
        }
        let mustWait = state.waitUntilClosed("closer")
        #expect(mustWait)
        let end = state.giveBack(2)
        #expect(end.closers == ["closer"])
        #expect(state.idleCount == 0)
        let mustWaitLater = state.waitUntilClosed("later")
        #expect(!mustWaitLater)
    }
}
