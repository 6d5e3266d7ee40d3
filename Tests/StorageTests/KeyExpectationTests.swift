@testable import Storage
import Testing

@Suite("Whether events are expected to be new")
struct KeyExpectationTests {
    @Test func newUntilOneWasNot() {
        let expectation = KeyExpectation()
        #expect(expectation.isAllNew)
        expectation.failed()
        #expect(!expectation.isAllNew)
    }

    @Test func newAgainAfterFourGroupsWithoutAnyOther() {
        let expectation = KeyExpectation()
        expectation.failed()
        for _ in 0..<3 { expectation.looked(foundStored: false) }
        #expect(!expectation.isAllNew)
        expectation.looked(foundStored: true)
        for _ in 0..<3 { expectation.looked(foundStored: false) }
        #expect(!expectation.isAllNew)
        expectation.looked(foundStored: false)
        #expect(expectation.isAllNew)
    }
}
