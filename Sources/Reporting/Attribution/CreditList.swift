import JSONReading

/// The credits of one event as they are told (docs/attributions.md): those of the largest shares, and the sum of the
/// others. Somebody may have a million touches.
package struct CreditList: Equatable, Sendable {
    /// The most credits.
    static let limit = 100

    /// Ordered by (t, event id). Those of no units may get some when their details change.
    var touches: [CreditedTouch]
    /// The others.
    private var moreCount = 0
    private var moreUnits: Int64 = 0

    init(_ touches: [CreditedTouch]) {
        self.touches = touches
        keepLargest(Self.limit)
    }

    /// The latest of equal shares.
    private mutating func keepLargest(_ count: Int) {
        guard touches.count > count else { return }
        let ranks = touches.indices.sorted { (touches[$0].units, $0) > (touches[$1].units, $1) }
        for position in ranks[count...] where touches[position].units > 0 {
            moreCount += 1
            moreUnits += touches[position].units
        }
        touches = ranks[..<count].sorted().map { touches[$0] }
    }

    /// The values of the members `credits` and `more_credits`; nil: there are no others.
    ///
    /// - Parameter byteLimit: the longest text of the credits, if there are two or more.
    func json(byteLimit: Int) -> (credits: String, more: String?) {
        var list = self
        while true {
            let told = list.touches.filter { $0.units > 0 }
            var given: Int64 = 0
            var json = JSONWriter()
            json.array { json in
                for touch in told {
                    json.object { touch.write(to: &$0, after: given) }
                    given += touch.units
                }
            }
            guard json.bytes.count > byteLimit, told.count > 1 else {
                return (json.text, list.moreCount == 0 ? nil : list.more(after: given))
            }
            list.keepLargest(told.count / 2)
        }
    }

    private func more(after given: Int64) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("count", moreCount)
            json.key("credit")
            json.raw(CreditUnits.part(of: 1, from: given, units: moreUnits, decimals: 15))
        }
        return json.text
    }
}
