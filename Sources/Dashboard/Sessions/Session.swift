import HTTPTypes
import HummingbirdCore

/// The session of a person: the read key in a cookie. Scripts cannot read the cookie, and forms of other sites cannot
/// send it.
///
/// The key itself is the session. So a revoked key ends the session immediately, on every daemon, and nothing is
/// stored.
enum Session {
    static let cookieName = "tributary_read_key"
    /// 12 hours: a working day.
    static let lifetimeSeconds = 43_200

    /// The key in a request's cookie; nil if there is no cookie, or its value cannot be a key.
    static func key(of headers: HTTPFields) -> String? {
        for field in headers[values: .cookie] {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0] == cookieName else { continue }
                let key = String(parts[1])
                return isPlausible(key) ? key : nil
            }
        }
        return nil
    }

    /// Whether the text can be a key: only letters, digits, `_` and `-`, because it gets into a header.
    static func isPlausible(_ key: String) -> Bool {
        (1...128).contains(key.utf8.count)
            && key.utf8.allSatisfy { byte in
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
    /// - Parameter isSecure: whether the browser uses TLS, to the daemon or to a proxy.
    static func cookie(key: String, isSecure: Bool) -> String {
        "\(cookieName)=\(key); Path=/; Max-Age=\(lifetimeSeconds); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }

    static func expiredCookie(isSecure: Bool) -> String {
        "\(cookieName)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }

    static func isSecure(_ headers: HTTPFields) -> Bool {
        HTTPField.Name("X-Forwarded-Proto").flatMap { headers[$0] }?.lowercased() == "https"
    }
}
