import InboundLinks
import JSONReading

extension InboundLink {
    /// What a link said beside the columns of `event`, as the text of a JSON object; nil where that is nothing.
    var details: String? {
        var writer = JSONWriter()
        var isEmpty = true
        writer.object { writer in
            for (name, value) in [
                ("app_id", appID), ("scheme_suffix", schemeSuffix), ("fb_source", fbSource),
                ("promo_code", promoCode), ("fbclid", fbclid),
            ] {
                guard let value, !value.isEmpty else { continue }
                writer.member(name, value)
                isEmpty = false
            }
            for (name, values) in [
                ("action_ids", actionIDs), ("action_types", actionTypes), ("request_ids", requestIDs),
            ] where !values.isEmpty {
                writer.member(name, values)
                isEmpty = false
            }
        }
        return isEmpty ? nil : writer.text
    }
}
