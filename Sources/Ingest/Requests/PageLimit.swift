/// How many rows a page of a list has.
enum PageLimit {
    static let name = "limit"
    private static let most = 1_000
    private static let usual = 100

    /// - Parameter text: of the parameter ``name``; nil: the usual number.
    static func read(_ text: String?) throws(Problem) -> Int {
        let limit = text.map { Int($0) ?? 0 } ?? usual
        guard 1...most ~= limit else {
            throw Problem(.invalidParameter, "\(name) must be a number from 1 to \(most).", field: name)
        }
        return limit
    }
}
