import Logging
import ServiceLifecycle
import Storage

/// Writes when keys were last used: once a minute, and once more at the end.
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
            // It is for people, and the next minute will do.
            logger.debug("the last uses of keys could not be recorded", metadata: ["error": "\(error)"])
        }
    }
}
