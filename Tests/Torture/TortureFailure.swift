/// The torture itself could not go on.
struct TortureFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
