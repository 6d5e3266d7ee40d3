import ServiceLifecycle
import Storage

/// The writer and the spool as a service: they commit until the services that use them have stopped.
struct StoringService: Service {
    let writer: EventWriter
    let spool: Spool

    func run() async throws {
        await withTaskCancellationOrGracefulShutdownHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await writer.run() }
                group.addTask { await spool.run() }
            }
        } onCancelOrGracefulShutdown: {
            writer.close()
            spool.close()
        }
    }
}
