package import Time

/// Requests of a link on one day that are no clicks.
package struct LinkHits: Equatable, Sendable {
    package var address: LinkAddress
    /// In UTC.
    package var day: CivilDate
    package var preview = 0
    package var bot = 0
    package var head = 0
    package var prefetch = 0
    package var embed = 0

    package init(_ address: LinkAddress, on day: CivilDate) {
        self.address = address
        self.day = day
    }

    /// The sum of two counts of one link and day.
    package static func + (first: LinkHits, second: LinkHits) -> LinkHits {
        var sum = first
        sum.preview += second.preview
        sum.bot += second.bot
        sum.head += second.head
        sum.prefetch += second.prefetch
        sum.embed += second.embed
        return sum
    }
}
