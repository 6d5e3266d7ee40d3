import Synchronization

/// Reads messages and sends answers until the messages end. Calls run beside each other.
package final class MCPServer: Sendable {
    /// A message, or a line that is longer than the limit.
    package enum Line: Sendable {
        case message([UInt8])
        case tooLong(limit: Int)
    }

    private let answers: AssistantAnswers
    private let session: Mutex<MCPSession>
    private let send: @Sendable (String) throws -> Void

    /// - Parameter send: sends one line. It is called for one line at a time.
    package init(
        _ answers: AssistantAnswers,
        programVersion: String,
        send: @escaping @Sendable (String) throws -> Void
    ) {
        self.answers = answers
        self.send = send
        session = Mutex(MCPSession(programVersion: programVersion))
    }

    /// Calls that still run when the messages end are answered. If an answer cannot be sent, the others are cancelled.
    ///
    /// - Parameter next: returns nil after the last line.
    package func run(reading next: () async throws -> Line?) async throws {
        var calls: [MCPSession.ID: Task<Void, any Error>] = [:]
        defer { for call in calls.values { call.cancel() } }
        while let line = try await next() {
            switch try received(line) {
            case .nothing, .answer: break
            case .cancel(let id): calls.removeValue(forKey: id)?.cancel()
            case .run(let call):
                calls = session.withLock { session in calls.filter { session.isRunning($0.key) } }
                calls[call.id] = Task { try await self.run(call) }
            }
        }
        for call in calls.values { try await call.value }
    }

    /// Answers are sent while the session is locked, so that no two lines mix.
    private func received(_ line: Line) throws -> MCPSession.Action {
        try session.withLock { session in
            let action =
                switch line {
                case .message(let message): session.received(message)
                case .tooLong(let limit): MCPSession.Action.answer(MCPSession.receivedTooLong(limit: limit))
                }
            if case .answer(let text) = action { try send(text) }
            return action
        }
    }

    private func run(_ call: MCPSession.Call) async throws {
        let outcome = await answers.answer(call)
        try session.withLock { session in
            if let text = session.finished(call, with: outcome) { try send(text) }
        }
    }
}
