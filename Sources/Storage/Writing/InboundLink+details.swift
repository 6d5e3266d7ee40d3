import InboundLinks
import JSONReading

extension InboundLink {
    /// The values of a link that have no column of their own in `event`, as the text of a JSON object; nil if there are
    /// none.
    var details: String? {
        var writer = JSONWriter()
        var isEmpty = true
        writer.object { writer in
            func member(_ name: String, _ value: String?) {
                guard let value, !value.isEmpty else { return }
                writer.member(name, value)
                isEmpty = false
            }
            func member(_ name: String, _ values: [String]) {
                guard !values.isEmpty else { return }
                writer.member(name, values)
                isEmpty = false
            }
            member("app_id", appID)
            member("scheme_suffix", schemeSuffix)
            member("fb_source", fbSource)
            member("promo_code", promoCode)
            member("fbclid", fbclid)
            member("action_ids", actionIDs)
            member("action_types", actionTypes)
            member("request_ids", requestIDs)
        }
        return isEmpty ? nil : writer.text
    }
}
