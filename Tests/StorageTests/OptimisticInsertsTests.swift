@testable import Storage
import Testing

@Suite("Whether events are expected to be new")
struct OptimisticInsertsTests {
    @Test func newUntilOneWasNot() {
        let expectation = OptimisticInserts()
        #expect(expectation.isAllNew)
        expectation.failed()
        #expect(!expectation.isAllNew)
    }

    @Test func newAgainAfterFourGroupsWithoutAnyOther() {
        let expectation = OptimisticInserts()
        expectation.failed()
        for _ in 0..<3 { expectation.recordExplicitCheck(allNew: true) }
        #expect(!expectation.isAllNew)
        expectation.recordExplicitCheck(allNew: false)
        for _ in 0..<3 { expectation.recordExplicitCheck(allNew: true) }
        #expect(!expectation.isAllNew)
        expectation.recordExplicitCheck(allNew: true)
        #expect(expectation.isAllNew)
    }
}
