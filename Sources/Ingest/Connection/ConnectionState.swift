/// The state of one HTTP/1 connection. It decides which requests pass, when the connection closes, and how input that
/// is not a request is answered. Pure; ``ConnectionHandler`` performs its decisions.
///
/// Responses are written in the order of requests, one at a time, so it is enough to count those that are due.
struct ConnectionState: Sendable {
    /// The facts of a request's head that matter here.
    struct Head: Equatable, Sendable {
        enum Body: Equatable, Sendable {
            /// `Content-Length`, 0 if no body was announced.
            case bytes(Int)
            case chunked
        }

        var body: Body
        /// `Expect: 100-continue`: the sender may wait for `100 Continue` before it sends the body.
        var expectsContinue = false
        /// `Connection: close`, HTTP/1.0, or a method after which the connection is no longer HTTP.
        var isLast = false
        /// Why the request is refused without being forwarded; nil if it is not.
        var problem: Problem?
    }

    /// What is being received.
    private enum Receiving: Equatable {
        /// No request, or only a part of a head.
        case nothing
        /// A body with `remaining` bytes still to come; nil if their number is unknown.
        case body(remaining: Int?, expectsContinue: Bool)
        /// Further input is ignored: the sender sent invalid bytes, is closing, or was refused.
        case stopped
    }

    enum ReadAction: Equatable {
        case forward
        case drop
        /// Answer with this and close; no request was forwarded.
        case refuse(Problem)
    }

    enum FailureAction: Equatable {
        case none
        /// Pass this to the reader of the body, which answers.
        case interrupt(RequestInterruption)
        case refuse(Problem)
        case close
    }

    enum HeadWriteAction: Equatable {
        case write
        /// With `Connection: close`.
        case writeLast
        case drop
    }

    enum EndWriteAction: Equatable {
        case write
        /// Write, then close our side and wait a moment for the sender to close its own.
        case writeThenLinger
        case writeThenRefuse(Problem)
        case drop
    }

    /// An unread body up to this size is read and discarded, so that the connection can be used again. A connection
    /// with a longer unread body is closed.
    static let drainableBytes = 64 << 10

    private var receiving = Receiving.nothing
    /// Requests that were forwarded and whose responses have not ended.
    private(set) var unanswered = 0
    /// Whether the connection ends after the response to the last forwarded request.
    private var endsAfterLast = false
    /// Whether the daemon is stopping.
    private var isQuiescing = false
    /// A refusal that waits until the responses before it are written.
    private var pendingRefusal: Problem?
    private(set) var isLingering = false

    /// Whether a request's body is still to come and all requests before it are answered. Only then must the sender be
    /// read.
    var awaitsBody: Bool {
        if case .body = receiving { unanswered <= 1 } else { false }
    }

    /// Whether the head of a request is to come next, and all requests before it are answered.
    var awaitsHead: Bool {
        receiving == .nothing && unanswered == 0 && !isLingering
    }

    /// Whether all answers are sent, so that the sender has to send next.
    var isIdle: Bool {
        unanswered == 0 || awaitsBody
    }

    mutating func receivedHead(_ head: Head) -> ReadAction {
        guard receiving == .nothing, !isLingering else { return .drop }
        if let problem = head.problem {
            receiving = .stopped
            return refuseInTurn(problem) ?? .drop
        }
        unanswered += 1
        endsAfterLast = head.isLast || isQuiescing
        switch head.body {
        case .bytes(let count): receiving = .body(remaining: count, expectsContinue: head.expectsContinue)
        case .chunked: receiving = .body(remaining: nil, expectsContinue: head.expectsContinue)
        }
        return .forward
    }

    mutating func receivedBody(bytes count: Int) -> ReadAction {
        guard case .body(let remaining, _) = receiving, !isLingering else { return .drop }
        receiving = .body(remaining: remaining.map { max(0, $0 - count) }, expectsContinue: false)
        return .forward
    }

    mutating func receivedEnd() -> ReadAction {
        guard case .body = receiving, !isLingering else { return .drop }
        receiving = endsAfterLast ? .stopped : .nothing
        return .forward
    }

    /// The sender's bytes are invalid, or no more will come.
    mutating func failed(_ interruption: RequestInterruption, orRefuseWith problem: Problem) -> FailureAction {
        guard !isLingering else { return .none }
        switch receiving {
        case .nothing:
            receiving = .stopped
            guard case .refuse(let problem)? = refuseInTurn(problem) else { return .none }
            return .refuse(problem)
        case .body:
            receiving = .stopped
            endsAfterLast = true
            return unanswered > 0 ? .interrupt(interruption) : .close
        case .stopped:
            return .none
        }
    }

    /// The sender has closed its side.
    mutating func inputClosed() -> FailureAction {
        guard !isLingering else { return .close }
        switch receiving {
        case .nothing:
            receiving = .stopped
            endsAfterLast = true
            return .none
        case .body:
            receiving = .stopped
            endsAfterLast = true
            return unanswered > 0 ? .interrupt(.truncated) : .close
        case .stopped:
            endsAfterLast = true
            return .none
        }
    }

    /// The daemon is stopping: requests that were forwarded are answered, and no more are taken.
    ///
    /// - Returns: whether no answer is due, so that the connection closes immediately.
    mutating func quiesce() -> Bool {
        isQuiescing = true
        endsAfterLast = true
        return unanswered == 0
    }

    /// Whether the sender waits for `100 Continue` and may get it now.
    mutating func mayContinue() -> Bool {
        guard unanswered == 1, !isLingering, case .body(let remaining, true) = receiving else { return false }
        receiving = .body(remaining: remaining, expectsContinue: false)
        return true
    }

    /// A final response begins.
    mutating func writesHead() -> HeadWriteAction {
        guard unanswered > 0, !isLingering else { return .drop }
        guard unanswered == 1 else { return .write }
        if case .body(let remaining, let expectsContinue) = receiving {
            let isDrainable = remaining.map { $0 <= Self.drainableBytes } ?? false
            if !isDrainable || expectsContinue { endsAfterLast = true }
        }
        return endsAfterLast && pendingRefusal == nil ? .writeLast : .write
    }

    mutating func writesEnd() -> EndWriteAction {
        guard unanswered > 0, !isLingering else { return .drop }
        unanswered -= 1
        guard unanswered == 0 else { return .write }
        if let problem = pendingRefusal {
            pendingRefusal = nil
            isLingering = true
            return .writeThenRefuse(problem)
        }
        guard endsAfterLast else { return .write }
        isLingering = true
        receiving = .stopped
        return .writeThenLinger
    }

    private mutating func refuseInTurn(_ problem: Problem) -> ReadAction? {
        guard unanswered == 0 else {
            pendingRefusal = problem
            return nil
        }
        isLingering = true
        return .refuse(problem)
    }
}
