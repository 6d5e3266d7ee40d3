@testable import Storage

extension Spool {
    /// Runs the spool while `body` does, and closes it.
    func whileRunning<R>(_ body: () async throws -> R) async throws -> R {
        async let running: Void = run()
        do {
            let result = try await body()
            close()
            await running
            return result
        } catch {
            close()
            await running
            throw error
        }
    }
}
