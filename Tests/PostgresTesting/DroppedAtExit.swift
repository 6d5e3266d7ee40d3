#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import Dispatch
import Postgres
import Synchronization

/// Drops the template databases when the process ends, if the server is not the process's own.
final class DroppedAtExit: Sendable {
    static let shared = DroppedAtExit()

    private let databases = Mutex<[(name: String, server: PostgresAddress)]>([])

    private init() {
        atexit { DroppedAtExit.shared.dropAll() }
    }

    func add(_ name: String, _ server: PostgresAddress) {
        databases.withLock { $0.append((name, server)) }
    }

    private func dropAll() {
        let databases = databases.withLock { $0 }
        let isDone = DispatchSemaphore(value: 0)
        Task {
            for (name, server) in databases {
                guard let connection = try? await PostgresConnection.connect(to: server) else { continue }
                _ = try? await connection.execute("drop database if exists \(name) with (force)")
                await connection.close()
            }
            isDone.signal()
        }
        _ = isDone.wait(timeout: .now() + .seconds(10))
    }
}
