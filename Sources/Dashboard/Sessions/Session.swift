import HTTPTypes
import HummingbirdCore

/// Who is signed in: the read key, in a cookie that scripts cannot read and other sites cannot send along with a form.
///
/// The key itself is the session, so that a revoked key ends it at once, on every daemon, and nothing is kept here.
enum Session {
    static let cookieName = "tributary_read_key"
    /// 12 hours: a working day.
    static let lifetimeSeconds = 43_200

    /// The key of a request's cookie. Nil where there is none, or what stands there cannot be a key.
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

    /// Keys are letters, digits and `_`: nothing else may get into a header.
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

    /// The value of `Set-Cookie`. `Lax`, so that a link to a view that somebody shares opens it.
    ///
    /// - Parameter isSecure: whether the person's browser speaks TLS, to us or to a proxy.
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
