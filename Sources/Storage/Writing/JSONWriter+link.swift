import InboundLinks
import JSONReading

extension JSONWriter {
    /// The columns of a touch's event that its link decides, by their names.
    mutating func columns(of link: InboundLink) {
        member("channel", link.channel.rawValue)
        member("channel_rule", link.rule.rawValue)
        member("link_form", link.form.rawValue)
        member("refs", link.refs)
        member("target_url", link.targetURL)
        member("referer_app", link.refererApp)
        member("referer_url", link.refererURL)
        member("authenticated", link.authenticated)
        member("deferred", link.deferred)
        member("paid", link.paid)
        member("test_traffic", link.testTraffic)
    }
}
