extension Int {
    /// `1 event`, `2 events`.
    func named(_ one: String, _ several: String? = nil) -> String {
        "\(self) \(self == 1 ? one : several ?? one + "s")"
    }
}
