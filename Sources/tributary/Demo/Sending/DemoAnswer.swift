/// The daemon's answer to a write request: counts, or a problem document (docs/events.md, *Answers*).
struct DemoAnswer: Decodable {
    struct Rejected: Decodable {
        var code: String
    }

    var accepted: Int?
    var duplicates: Int?
    var rejected: [Rejected]?
    /// Only in a problem document.
    var code: String?
}
