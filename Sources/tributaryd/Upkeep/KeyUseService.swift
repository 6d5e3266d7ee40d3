import Logging
import ServiceLifecycle
import Storage

/// Records when keys were last used, once a minute and once at the end.
struct KeyUseService: Service {
    private static let pause: Duration = .seconds(60)

    let keys: KeyRing
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.pause)
                if !Task.isCancelled { await record() }
            }
        }
        await record()
    }

    private func record() async {
        do {
            try await keys.recordUses()
        } catch {
            // Only people read this time, and the next minute tries again.
            logger.debug("the last uses of keys could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}
