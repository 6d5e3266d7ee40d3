import HTTPTypes
import HummingbirdCore
import Storage

/// The cookie of a session. Scripts cannot read it, and forms of other sites cannot send it. It holds the session's
/// random id, and nothing of the key.
enum Session {
    /// With TLS, browsers take the name `__Host-` from this host alone, so that no neighbour can plant a session.
    static func cookieName(isSecure: Bool) -> String {
        isSecure ? "__Host-tributary_session" : "tributary_session"
    }

    /// The id in a request's cookie; nil if there is no cookie, or its value cannot be an id.
    static func id(of headers: HTTPFields) -> String? {
        let name = cookieName(isSecure: isSecure(headers))
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] == name else { continue }
                let id = String(parts[1])
                return isPlausible(id) ? id : nil
            }
        }
        return nil
    }

    /// Whether the text can be an id or a key: only letters, digits, `_` and `-`.
    static func isPlausible(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The value of `Set-Cookie`. `SameSite` is `Lax`, so that a shared link to a view works.
    ///
    /// - Parameters:
    ///   - id: nil removes the cookie.
    ///   - isSecure: whether the browser uses TLS, to the daemon or to a proxy.
    static func cookie(id: String?, isSecure: Bool) -> String {
        let age = id == nil ? 0 : SessionStore.lifetime.components.seconds
        return "\(cookieName(isSecure: isSecure))=\(id ?? ""); Path=/; Max-Age=\(age); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    /// Whether the browser uses TLS. A proxy says so; the first of several proxies is the one that the browser asks.
    static func isSecure(_ headers: HTTPFields) -> Bool {
        let schemes = HTTPField.Name("X-Forwarded-Proto").flatMap { headers[$0] } ?? ""
        return schemes.prefix { $0 != "," }.filter { $0 != " " }.lowercased() == "https"
    }
}
