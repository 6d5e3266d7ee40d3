import ServiceLifecycle
import Storage

/// The writer as a service: it commits until the services that use it have stopped.
struct WriterService: Service {
    let writer: EventWriter

    func run() async throws {
        await withGracefulShutdownHandler {
            await writer.run()
        } onGracefulShutdown: {
            writer.close()
        }
    }
}
