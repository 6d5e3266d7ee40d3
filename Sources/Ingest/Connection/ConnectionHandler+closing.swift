import NIOCore

/// Refuses, lingers and closes.
extension ConnectionHandler {
    func perform(_ action: ConnectionState.FailureAction, context: ChannelHandlerContext) {
        switch action {
        case .none:
            break
        case .interrupt(let interruption):
            cancelDeadline()
            context.fireErrorCaught(interruption)
        case .refuse(let problem):
            refuse(problem, context: context)
        case .close:
            closeWhenWritten(context: context)
        }
    }

    /// A promise that completes when the system has taken the end of an answer.
    func counted(
        _ promise: EventLoopPromise<Void>?,
        context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
        let promise = promise ?? context.eventLoop.makePromise()
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        unwritten += 1
        promise.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.unwritten -= 1
            guard handler.unwritten == 0 else { return }
            if handler.closesWhenWritten, handler.state.unanswered == 0 {
                context.close(promise: nil)
            } else if handler.lingersWhenWritten {
                handler.lingersWhenWritten = false
                handler.linger(context: context)
            }
        }
        return promise
    }

    /// Closes for another connection, also if a body is still to come, or if the sender does not read its answers.
    ///
    /// - Returns: false if an answer is due. The connection closes after it.
    func makeRoom() -> Bool {
        guard let context else { return true }
        guard state.isIdle || unwritten > 0 || !context.channel.isWritable else { return state.quiesce() }
        context.close(promise: nil)
        return true
    }

    func closeWhenWritten(context: ChannelHandlerContext) {
        guard unwritten > 0 else { return context.close(promise: nil) }
        closesWhenWritten = true
        if deadline == nil { scheduleClosing(in: TimeAmount(limits.responseWriteTimeout), context: context) }
    }

    func refuse(_ problem: Problem, context: ChannelHandlerContext) {
        onRefusal(problem.code)
        write(Reply(problem), adding: nil, isLast: true, context: context)
        linger(context: context)
    }

    /// Closes our side, and the whole connection later. To close it now, with unread bytes of the sender, would reset
    /// it, and the answer would be lost.
    func linger(context: ChannelHandlerContext) {
        if unwritten > 0 {
            lingersWhenWritten = true
            scheduleClosing(in: TimeAmount(limits.responseWriteTimeout), context: context)
        } else {
            context.close(mode: .output, promise: nil)
            scheduleClosing(in: Self.lingerTime, context: context)
        }
        context.read()
    }

    private func scheduleClosing(in delay: TimeAmount, context: ChannelHandlerContext) {
        cancelDeadline()
        deadline = schedule(in: delay, context: context) { handler, context in
            handler.deadline = nil
            context.close(promise: nil)
        }
    }
}
