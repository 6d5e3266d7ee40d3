package import Events
package import InboundLinks

/// An enum whose values packed timelines keep in some bits (`EventWord`). Folds count by these positions, too.
///
/// Positions are stored: cases keep their order, and new ones come at the end.
@usableFromInline
package protocol PackedEnum: CaseIterable, Sendable {
    /// The last case. A constant, because the array of all cases is made at each use.
    static var last: Self { get }
}

extension PackedEnum {
    /// The position in `allCases`.
    ///
    /// An enum whose cases carry no values is in memory the number of its case. A switch would compile to the same, but
    /// each enum would need two; `allCases.firstIndex(of:)` compares case by case, and folds ask for every touch.
    @inlinable @inline(__always)
    package var position: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

    /// Nil for a position that no case has.
    @inline(__always)
    init?(position: Int) {
        guard position >= 0, position <= Self.last.position else { return nil }
        self = unsafeBitCast(UInt8(truncatingIfNeeded: position), to: Self.self)
    }
}

extension EventType: PackedEnum { package static var last: EventType { .appOpen } }
extension Platform: PackedEnum { package static var last: Platform { .desktop } }
extension Channel: PackedEnum { package static var last: Channel { .unattributed } }
extension Composer: PackedEnum { package static var last: Composer { .requestDialog } }
extension PostOutcome: PackedEnum { package static var last: PostOutcome { .unconfirmed } }
extension InboundLink.Form: PackedEnum { package static var last: InboundLink.Form { .plain } }
extension RefOrigin: PackedEnum { package static var last: RefOrigin { .shortLink } }
