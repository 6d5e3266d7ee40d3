import Addresses
import Events

/// What one device and one address may send with a key for apps, which anyone can read. Kept in memory only. It does
/// not limit other keys.
///
/// No customer's network (`IPAddress.site`) is limited, unlike for guesses: a phone network gives each of thousands of
/// phones a network of its own there.
struct AppKeyLimits: Sendable {
    private struct Sender: Hashable {
        var app: Int64
        var address: IPAddress
    }

    private struct Device: Hashable {
        var app: Int64
        var id: String
    }

    /// Nil: no limit.
    private let requests: RateLimiter<Sender>?
    /// Nil: no limit.
    private let events: RateLimiter<Sender>?
    private let devices: RateLimiter<Device>

    init(_ limits: IngestLimits) {
        requests = limits.appKeyRateLimit.map(RateLimiter.init)
        events = limits.appKeyEventLimit.map(RateLimiter.init)
        devices = RateLimiter(limits.deviceRateLimit)
    }

    /// Admits a request of an address, or of a network of IPv6.
    func admit(_ principal: Principal, from address: IPAddress?) throws(Problem) {
        guard let requests, let sender = sender(principal, address) else { return }
        if case .limited(let wait) = requests.take(for: sender, at: .now).decision {
            throw Problem(
                .rateLimited,
                "Too many requests from this address; try again after the seconds in Retry-After.",
                retryAfter: wait
            )
        }
    }

    /// Admits the events of a request, or none of them and takes nothing.
    func admit(_ batch: EventBatch, of principal: Principal, from address: IPAddress?) throws(Problem) {
        guard principal.scope == .app else { return }
        let now = ContinuousClock.now
        let sender = sender(principal, address)
        if let events, let sender, case .limited(let wait) = events.take(batch.count, for: sender, at: now).decision {
            throw Problem(
                .rateLimited,
                "Too many events from this address; try again after the seconds in Retry-After.",
                retryAfter: wait
            )
        }
        var positions: [String: Int] = [:]
        var wanted: [(key: Device, count: Int)] = []
        var first: [Int] = []
        for event in batch.events {
            let id = event.event.deviceID ?? ""
            if let position = positions[id] {
                wanted[position].count += 1
            } else {
                positions[id] = wanted.count
                wanted.append((Device(app: principal.servedApp, id: id), 1))
                first.append(event.index)
            }
        }
        guard let limited = devices.takeAll(wanted, at: now) else { return }
        if let events, let sender { events.giveBack(batch.count, for: sender, at: now) }
        throw Problem(
            .rateLimited,
            "Too many events of the device of the event at index \(first[limited.position]); try again after the "
                + "seconds in Retry-After. No event of the batch was stored.",
            field: "device_id",
            retryAfter: limited.retryAfter
        )
    }

    /// Nil: a holder of another key, or from an unknown address.
    private func sender(_ principal: Principal, _ address: IPAddress?) -> Sender? {
        guard principal.scope == .app, let address else { return nil }
        return Sender(app: principal.servedApp, address: address.visitor)
    }
}
