import JSONReading
import Storage
import Time

extension StandbyPosition {
    /// `{"as_of": "2026-11-25T22:14:03Z", "position": "0/3000060"}`.
    var json: String {
        let time = committedAt.map { JSONWriter.quoted($0.rfc3339) } ?? "null"
        return "{\"as_of\": \(time), \"position\": \(JSONWriter.quoted(position))}"
    }
}
