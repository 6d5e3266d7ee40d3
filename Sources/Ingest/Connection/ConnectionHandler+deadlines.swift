import NIOCore

/// How long a sender may take, and how long a connection may be idle.
extension ConnectionHandler {
    func scheduleDeadline(context: ChannelHandlerContext) {
        deadline = schedule(in: TimeAmount(limits.requestReadTimeout), context: context) { handler, context in
            handler.deadline = nil
            let problem = RequestInterruption.timedOut.problem
            handler.perform(handler.state.failed(.timedOut, orRefuseWith: problem), context: context)
        }
    }

    func scheduleHeadDeadline(context: ChannelHandlerContext) {
        // Else the connection could be closed as idle before the sender is told why.
        lastActivity = context.eventLoop.now
        headDeadline = schedule(in: TimeAmount(limits.requestReadTimeout), context: context) { handler, context in
            handler.headDeadline = nil
            let problem = Problem(.requestTimeout, "The head took too long to arrive; send the request again.")
            handler.perform(handler.state.failed(.timedOut, orRefuseWith: problem), context: context)
        }
    }

    func scheduleIdleDeadline(context: ChannelHandlerContext) {
        let limit = TimeAmount(limits.idleTimeout)
        let idleTime = context.eventLoop.now - lastActivity
        idleDeadline = schedule(in: limit - idleTime, context: context) { handler, context in
            handler.idleDeadline = nil
            guard handler.state.isIdle else { return }
            if context.eventLoop.now - handler.lastActivity >= limit {
                handler.closeWhenWritten(context: context)
            } else {
                handler.scheduleIdleDeadline(context: context)
            }
        }
    }

    func schedule(
        in delay: TimeAmount,
        context: ChannelHandlerContext,
        _ action: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void
    ) -> Scheduled<Void> {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        return context.eventLoop.scheduleTask(in: delay) {
            let (handler, context) = bound.value
            action(handler, context)
        }
    }

    func cancelWriteDeadline() {
        writeDeadline?.cancel()
        writeDeadline = nil
    }

    func cancelDeadlines() {
        cancelDeadline()
        cancelHeadDeadline()
        cancelWriteDeadline()
        idleDeadline?.cancel()
        idleDeadline = nil
    }

    func cancelHeadDeadline() {
        headDeadline?.cancel()
        headDeadline = nil
    }

    func cancelDeadline() {
        deadline?.cancel()
        deadline = nil
    }
}
