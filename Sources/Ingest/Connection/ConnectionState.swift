/// The course of one HTTP/1 connection: which requests may pass, when it closes, and what is answered to what never
/// becomes a request. Pure; ``ConnectionHandler`` does what it says.
///
/// Responses are written in the order of requests, one at a time, so counting those that are due is enough.
struct ConnectionState: Sendable {
    /// What matters of a request's head.
    struct Head: Equatable, Sendable {
        enum Body: Equatable, Sendable {
            /// `Content-Length`, 0 where no body was announced.
            case bytes(Int)
            case chunked
        }

        var body: Body
        /// `Expect: 100-continue`: the sender may wait for our word before it sends the body.
        var expectsContinue = false
        /// `Connection: close`, HTTP/1.0, or a method after which the connection is no longer HTTP.
        var isLast = false
        /// Why this is no request to answer in the ordinary way.
        var problem: Problem?
    }

    /// What is being received.
    private enum Receiving: Equatable {
        /// No request, or only a part of a head.
        case nothing
        /// A body, of which so many bytes are still to come; nil: unknown.
        case body(remaining: Int?, expectsContinue: Bool)
        /// Nothing more that is of use: the sender is broken, closing, or was told to go.
        case stopped
    }

    enum ReadAction: Equatable {
        case forward
        case drop
        /// Answer with this and close; no request came through.
        case refuse(Problem)
    }

    enum FailureAction: Equatable {
        case none
        /// Whoever reads the body learns of it and answers.
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

    /// An unread body up to this size is read and thrown away, so that the connection can be used again; after a longer
    /// one it is closed.
    static let drainableBytes = 64 << 10

    private var receiving = Receiving.nothing
    /// Requests that were forwarded and whose responses have not ended.
    private(set) var unanswered = 0
    /// The response to the last request that was forwarded ends the connection.
    private var endsAfterLast = false
    /// The daemon stops.
    private var isQuiescing = false
    /// Waits until the responses before it are written.
    private var pendingRefusal: Problem?
    private(set) var isLingering = false

    /// Whether a request's body is still to come, and the requests before it are answered: until then nothing need be read.
    var awaitsBody: Bool {
        if case .body = receiving { unanswered <= 1 } else { false }
    }

    /// Whether the sender has its answers, and it is its turn to send.
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

    /// The sender's bytes make no sense, or no more will come.
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

    /// The daemon stops: what is due is answered, and no more is taken.
    ///
    /// - Returns: whether nothing is due, and the connection closes at once.
    mutating func quiesce() -> Bool {
        isQuiescing = true
        endsAfterLast = true
        return unanswered == 0
    }

    /// Whether the sender waits for `100 Continue` and may be told so now.
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
