import InboundLinks
import Redirects
import Text
import Time

/// A link as the form has it, and what is wrong with it.
struct LinkDraft {
    var link = Link(host: "", slug: "")
    /// Only of fields that cannot be read. What a link must fulfil is checked where it is stored.
    var faults: [LinkFault] = []

    /// - Parameters:
    ///   - form: of ``LinkField/groups``, and `host`.
    ///   - time: reads `expires_at`.
    init(_ form: FormFields, time: LocalTime) {
        func text(_ name: String) -> String? { Self.trimmed(form[name] ?? "") }
        link.host = text("host").map { LinkHost.normalised($0) ?? $0 } ?? ""
        if let slug = text("slug") {
            do throws(LinkFault) { link.slug = try Slug.checked(slug) } catch { faults.append(error) }
        }
        link.targetURL = text("target_url")
        link.mobileURL = text("mobile_url")
        link.appURL = text("app_url")
        if let fallback = text("fallback") {
            if let known = Link.Fallback(rawValue: fallback) {
                link.fallback = known
            } else {
                faults.append(LinkFault(.invalidValue, "fallback", "fallback must be store or web"))
            }
        }
        for ref in (text("ref") ?? "").split(separator: ",") {
            if let ref = Self.trimmed(String(ref)), !link.refs.contains(ref) { link.refs.append(ref) }
        }
        if let channel = text("channel") {
            link.channel = Channel(rawValue: channel)
            if link.channel == nil {
                faults.append(LinkFault(.invalidValue, "channel", "channel must be one of the list"))
            }
        }
        link.preview.title = text("title")
        link.preview.description = text("description")
        link.preview.imageURL = text("image_url")
        link.preview.siteName = text("site_name")
        link.preview.ogType = text("og_type")
        // A checkbox that is off is not sent.
        link.forwardQuery = form["forward_query"] != nil
        link.appendClickID = form["append_click_id"] != nil
        link.campaign = text("campaign")
        if let end = text("expires_at") {
            link.expiresAt = time.time(end)
            if link.expiresAt == nil {
                faults.append(
                    LinkFault(.invalidValue, "expires_at", "expires_at must be a time such as 2026-12-31T23:00")
                )
            }
        }
        link.expiredURL = text("expired_url")
        link.note = text("note")
    }

    /// Without blanks at both ends, and with the line breaks of Unix; nil if nothing is left. Browsers send CRLF.
    private static func trimmed(_ text: String) -> String? {
        let lines = text.replacing("\r\n", with: "\n")
        guard let first = lines.firstIndex(where: { !$0.isWhitespace }),
            let last = lines.lastIndex(where: { !$0.isWhitespace })
        else { return nil }
        return String(lines[first...last])
    }
}
