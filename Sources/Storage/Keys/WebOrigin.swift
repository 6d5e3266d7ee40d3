import Redirects
import Text

/// The origin of a web page (RFC 6454), as browsers send it: `https://shop.example`, with a port only if it is not the
/// scheme's own.
package enum WebOrigin {
    /// The origin in this form; nil if the text is none. Pages come over https, except for those of the machine itself.
    package static func normalised(_ text: String) -> String? {
        var rest = text.lowercased()[...]
        if rest.last == "/" { rest.removeLast() }
        let ownPort: String
        if rest.hasPrefix("https://") {
            (rest, ownPort) = (rest.dropFirst(8), "443")
        } else if rest.hasPrefix("http://") {
            (rest, ownPort) = (rest.dropFirst(7), "80")
        } else {
            return nil
        }
        guard let host = LinkHost.named(by: String(rest)) else { return nil }
        var port = ""
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let number = UInt16(rest[colon...].dropFirst()), number > 0 else { return nil }
            port = "\(number)"
        }
        if ownPort == "80", !["localhost", "127.0.0.1", "[::1]"].contains(host) { return nil }
        return "\(ownPort == "443" ? "https" : "http")://\(host)\(port.isEmpty || port == ownPort ? "" : ":\(port)")"
    }
}
