// Names and types of UniformTypeIdentifiers, as far as the example uses them.
public struct UTType: Sendable {
    public static let url = UTType()
    public var identifier: String { "public.url" }
}
