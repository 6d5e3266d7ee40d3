import Testing

@testable import Ingest

@Suite("The state of a connection")
struct ConnectionStateTests {
    typealias Head = ConnectionState.Head

    private let problem = Problem(.malformedRequest, "bad")

    @Test func goesOnAfterAnAnsweredRequest() {
        var state = ConnectionState()
        for _ in 0..<3 {
            expectEqual(state.receivedHead(Head(body: .bytes(2))), .forward)
            expectEqual(state.receivedBody(bytes: 2), .forward)
            expectEqual(state.receivedEnd(), .forward)
            expectEqual(state.writesHead(), .write)
            expectEqual(state.writesEnd(), .write)
        }
    }

    @Test func closesAfterTheLastOfPipelinedRequests() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(0)))
        _ = state.receivedEnd()
        _ = state.receivedHead(Head(body: .bytes(0), isLast: true))
        _ = state.receivedEnd()
        expectEqual(state.receivedHead(Head(body: .bytes(0))), .drop)
        expectEqual(state.writesHead(), .write)
        expectEqual(state.writesEnd(), .write)
        expectEqual(state.writesHead(), .writeLast)
        expectEqual(state.writesEnd(), .writeThenLinger)
        expectEqual(state.writesHead(), .drop)
    }

    @Test(arguments: [
        (Head.Body.bytes(ConnectionState.drainableBytes), ConnectionState.HeadWriteAction.write),
        (.bytes(ConnectionState.drainableBytes + 1), .writeLast),
        (.chunked, .writeLast),
    ])
    func drainsAShortUnreadBodyOnly(body: Head.Body, action: ConnectionState.HeadWriteAction) {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: body))
        expectEqual(state.writesHead(), action)
    }

    @Test func closesWhereTheSenderWaitsInVain() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(10), expectsContinue: true))
        expectEqual(state.writesHead(), .writeLast)
    }

    @Test func letsASenderContinueOnce() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(10), expectsContinue: true))
        expectEqual(state.mayContinue(), true)
        expectEqual(state.mayContinue(), false)
        expectEqual(state.writesHead(), .write)
    }

    @Test func doesNotLetASenderContinueThatHasBegun() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(10), expectsContinue: true))
        _ = state.receivedBody(bytes: 1)
        expectEqual(state.mayContinue(), false)
    }

    @Test func refusesRubbishAtOnce() {
        var state = ConnectionState()
        expectEqual(state.failed(.malformed, orRefuseWith: problem), .refuse(problem))
        expectEqual(state.failed(.malformed, orRefuseWith: problem), .none)
        expectEqual(state.receivedHead(Head(body: .bytes(0))), .drop)
    }

    @Test func refusesRubbishAfterWhatIsDue() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(0)))
        _ = state.receivedEnd()
        expectEqual(state.failed(.malformed, orRefuseWith: problem), .none)
        expectEqual(state.writesHead(), .write)
        expectEqual(state.writesEnd(), .writeThenRefuse(problem))
    }

    @Test func refusesAHeadAfterWhatIsDue() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(0)))
        _ = state.receivedEnd()
        expectEqual(state.receivedHead(Head(body: .bytes(0), problem: problem)), .drop)
        expectEqual(state.writesHead(), .write)
        expectEqual(state.writesEnd(), .writeThenRefuse(problem))
    }

    @Test(arguments: [RequestInterruption.malformed, .timedOut, .headersTooLarge])
    func tellsTheReaderOfABrokenBody(interruption: RequestInterruption) {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(10)))
        expectEqual(state.failed(interruption, orRefuseWith: problem), .interrupt(interruption))
        expectEqual(state.receivedBody(bytes: 1), .drop)
        expectEqual(state.writesHead(), .writeLast)
        expectEqual(state.writesEnd(), .writeThenLinger)
    }

    @Test func closesWhenABodyBreaksThatIsDrained() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(10)))
        _ = state.writesHead()
        expectEqual(state.writesEnd(), .write)
        expectEqual(state.failed(.timedOut, orRefuseWith: problem), .close)
    }

    @Test func tellsTheReaderOfATruncatedBody() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .chunked))
        expectEqual(state.inputClosed(), .interrupt(.truncated))
    }

    @Test func closesAtOnceWhenTheDaemonStopsAndNothingIsDue() {
        var state = ConnectionState()
        expectEqual(state.quiesce(), true)
    }

    @Test func answersWhatIsDueWhenTheDaemonStops() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(0)))
        _ = state.receivedEnd()
        expectEqual(state.quiesce(), false)
        // Sent before the sender knew that the daemon stops.
        expectEqual(state.receivedHead(Head(body: .bytes(0))), .forward)
        _ = state.receivedEnd()
        expectEqual(state.receivedHead(Head(body: .bytes(0))), .drop)
        expectEqual(state.writesHead(), .write)
        expectEqual(state.writesEnd(), .write)
        expectEqual(state.writesHead(), .writeLast)
        expectEqual(state.writesEnd(), .writeThenLinger)
    }

    @Test func isIdleWhereItIsTheSendersTurn() {
        var state = ConnectionState()
        #expect(state.isIdle)
        _ = state.receivedHead(Head(body: .bytes(1)))
        #expect(state.isIdle)
        _ = state.receivedBody(bytes: 1)
        _ = state.receivedEnd()
        #expect(!state.isIdle)
        _ = state.writesHead()
        _ = state.writesEnd()
        #expect(state.isIdle)
    }

    @Test func answersASenderThatHasSaidAll() {
        var state = ConnectionState()
        _ = state.receivedHead(Head(body: .bytes(0)))
        _ = state.receivedEnd()
        expectEqual(state.inputClosed(), .none)
        expectEqual(state.writesHead(), .writeLast)
        expectEqual(state.writesEnd(), .writeThenLinger)
        expectEqual(state.inputClosed(), .close)
    }
}
