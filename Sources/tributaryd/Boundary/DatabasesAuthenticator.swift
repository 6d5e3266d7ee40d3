import Answering
import Ingest
import Storage

/// Finds the holders of keys in the rings of several databases. A key is in one of them, or in two if its app has moved
/// from one to the other: then the app is served where it is now.
struct DatabasesAuthenticator: KeyAuthenticator {
    /// By the positions of their databases. At least one.
    let rings: [RingAuthenticator]

    func principalAtOnce(forKey key: String) -> Principal? {
        for ring in rings {
            guard let holder = ring.ring.holderAtOnce(of: key), !holder.hasMoved else { continue }
            return Principal(holder, in: ring.database)
        }
        return nil
    }

    /// A ring that knows the key is asked first, so that one whose database hangs delays no others' keys.
    func principal(forKey key: String) async throws(SinkError) -> Principal? {
        let knowing = rings.filter { $0.ring.knows(key) }
        var moved: Principal?
        var failure: SinkError?
        for ring in knowing + rings.filter({ ring in !knowing.contains { $0.database == ring.database } }) {
            do {
                guard let holder = try await ring.ring.holder(of: key) else { continue }
                let principal = Principal(holder, in: ring.database)
                guard holder.hasMoved else { return principal }
                moved = moved ?? principal
            } catch {
                failure = ring.failures.sink(error)
            }
        }
        if let moved { return moved }
        // A ring that could not be asked may have it.
        if let failure { throw failure }
        return nil
    }

    func acting<Value>(as principal: Principal, _ operation: () async -> Value) async -> Value {
        await rings[principal.database].acting(as: principal, operation)
    }

    func isKnown(origin: String) async throws(SinkError) -> Bool {
        var failure: SinkError?
        for ring in rings {
            do throws(SinkError) {
                if try await ring.isKnown(origin: origin) { return true }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return false
    }
}
