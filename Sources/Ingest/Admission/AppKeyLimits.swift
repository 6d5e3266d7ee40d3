import Addresses
import Events

/// What one device and one address may send with a key for apps, which anyone can read. Kept in memory only. It does
/// not limit other keys.
struct AppKeyLimits: Sendable {
    private struct Sender: Hashable {
        var app: Int32
        var address: IPAddress
    }

    private struct Device: Hashable {
        var app: Int32
        var id: String
    }

    /// Nil: no limit.
    private let addresses: RateLimiter<Sender>?
    private let devices: RateLimiter<Device>

    /// - Parameters:
    ///   - addresses: requests from one address, or from one network of IPv6; nil: no limit.
    ///   - devices: events of one device.
    init(addresses: RateLimit?, devices: RateLimit) {
        self.addresses = addresses.map(RateLimiter.init)
        self.devices = RateLimiter(devices)
    }

    func admit(_ principal: Principal, from address: IPAddress?) throws(Problem) {
        guard principal.scope == .app, let addresses, let address else { return }
        let sender = Sender(app: principal.appNumber, address: address.visitor)
        if case .limited(let wait) = addresses.take(for: sender, at: .now).decision {
            throw Problem(
                .rateLimited,
                "Too many requests from this address; try again after the seconds in Retry-After.",
                retryAfter: wait
            )
        }
    }

    func admit(_ events: [DecodedEvent], of principal: Principal) throws(Problem) {
        guard principal.scope == .app else { return }
        var counts: [String: Int] = [:]
        for event in events { counts[event.event.deviceID ?? "", default: 0] += 1 }
        for (id, count) in counts {
            let device = Device(app: principal.appNumber, id: id)
            if case .limited(let wait) = devices.take(count, for: device, at: .now).decision {
                throw Problem(
                    .rateLimited,
                    "Too many events of one device; try again after the seconds in Retry-After.",
                    retryAfter: wait
                )
            }
        }
    }
}
