/// Events that were not answered before the sender stopped. Some may be stored nevertheless.
public struct UnsentEvents: Error, Equatable, CustomStringConvertible {
    public var count: Int

    public var description: String { "\(count) events were not answered before the sender stopped; some may be stored" }
}
