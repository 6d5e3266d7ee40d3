import NIOCore

/// Runs tasks on the event loop of a connection, so that a request does not change threads between the socket and its
/// answer. A change costs more than most of what a request does here.
///
/// Nothing that blocks may run in such a task.
final class EventLoopExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
