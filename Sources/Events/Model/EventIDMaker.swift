package import Time

/// Makes the ids of events that came without one: UUIDv7 (RFC 9562 section 5.7).
///
/// An id begins with the time, to a quarter of a microsecond (section 6.2, method 3), so that ids sort by receipt.
/// Consecutive ids of the same instant grow by a random step (method 2), so that the events of one batch keep their
/// order. Between makers, only randomness keeps ids apart.
package struct EventIDMaker<Randomness: RandomNumberGenerator & Sendable>: Sendable {
    private var randomness: Randomness
    private var last: (time: Timestamp, id: EventID)?

    package init(randomness: Randomness) {
        self.randomness = randomness
    }

    package mutating func makeID(at time: Timestamp) -> EventID {
        if let last, last.time == time {
            // The random part below starts with its top bit clear, so a carry would need 2^29 ids of the longest step.
            let id = EventID(
                high: last.id.high,
                low: last.id.low &+ UInt64.random(in: 1...0xFFFF_FFFF, using: &randomness)
            )
            self.last = (time, id)
            return id
        }
        let microseconds = UInt64(max(time.microseconds, 0))
        let (milliseconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        let fraction = rest * 4096 / 1000
        let id = EventID(
            high: milliseconds << 16 | 0x7000 | fraction,
            low: 0x8000_0000_0000_0000 | UInt64.random(in: 0...0x1FFF_FFFF_FFFF_FFFF, using: &randomness)
        )
        last = (time, id)
        return id
    }
}

extension EventIDMaker<SystemRandomNumberGenerator> {
    package init() {
        self.init(randomness: SystemRandomNumberGenerator())
    }
}
