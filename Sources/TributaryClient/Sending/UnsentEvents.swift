/// Events that were not answered before the sender had to end. Some may have been stored all the same.
public struct UnsentEvents: Error, Equatable, CustomStringConvertible {
    public var count: Int

    public var description: String { "\(count) events were not answered before the end" }
}
