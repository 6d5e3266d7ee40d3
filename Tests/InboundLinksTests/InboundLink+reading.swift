import InboundLinks
import Testing

/// Reads a link that must be an inbound link.
func link(
    _ url: String,
    _ overrides: LinkOverrides = .none,
    sourceLocation: SourceLocation = #_sourceLocation
) throws -> InboundLink {
    guard case .inboundLink(let link) = LinkReader.read(url, overriding: overrides) else {
        Issue.record("no inbound link: \(url)", sourceLocation: sourceLocation)
        throw NoInboundLink()
    }
    return link
}

struct NoInboundLink: Error {}

/// Percent-encodes all but letters and digits, as `encodeURIComponent` does.
func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        let scalar = Unicode.Scalar(byte)
        if scalar.properties.isASCIIHexDigit || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            result += "%" + (digits.utf8.count < 2 ? "0" : "") + digits
        }
    }
    return result
}

/// An App Link with this JSON, encoded.
func appLink(_ json: String, scheme: String = "myapp") -> String {
    "\(scheme)://open?al_applink_data=\(encoded(json))"
}
