import Foundation

/// A text that holds a secret of docs/links.md, *Secrets* in one spelling, and where in the service it is planted.
struct SecretsSpelling {
    /// The name of a secret and the way it is written, such as `access_token` as a parameter or a member.
    struct Core {
        var name: String
        /// The text around a secret.
        var text: @Sendable (String) -> String
    }

    /// A form that a text with a secret is put into: a URL, JSON, another encoding.
    struct Wrapping {
        var name: String
        var text: @Sendable (String) -> String
    }

    /// Names that are secret by rule, and not because they are listed.
    private static let namesByRule = ["long_lived_token", "accessToken", "id_token", "authentication_token"]
    private static let listedNames = [
        "access_token", "fb_access_token", "signed_request", "acs_token", "shared_secret",
    ]
    static let names = listedNames + namesByRule

    static let cores = namedCores + otherCores

    /// Every name in every form.
    static let namedCores: [Core] =
        listedNames.flatMap { name in
            [
                Core(name: "\(name)=") { "\(name)=\($0)" },
                Core(name: "?\(name)=&") { "https://shop.example/?a=1&\(name)=\($0)&b=2" },
                Core(name: "{\(name)}") { #"{"\#(name)":"\#($0)","b":1}"# },
                Core(name: "{{\(name)}}") { #"{"a":[{"\#(name)" : ["\#($0)",{"x":"\#($0)"}]}]}"# },
                Core(name: "\(name.uppercased())=") { "x://y#\(name.uppercased())=\($0)" },
                Core(name: "{\(name.uppercased())}") { #"{"\#(name.uppercased())":"\#($0)"}"# },
                Core(name: "\(name) with %5F") { "\(name.replacing("_", with: "%5F"))=\($0)" },
                Core(name: "\(name) with \\u005f") { #"{"\#(name.replacing("_", with: "\\u005f"))":"\#($0)"}"# },
                Core(name: "\(name) with its first letter escaped") { secret in
                    let first = String(name.utf8.first ?? 0, radix: 16)
                    return "%\(first)\(name.dropFirst())=\(secret)"
                },
                Core(name: "my_\(name)[0]=") { "my_\(name)[0]=\($0)&b" },
                Core(name: "authorize#\(name)") {
                    "fb123://authorize#expires_in=0&\(name)=\($0)&target_url=https%3A%2F%2Fshop.example"
                },
            ]
        }
        + namesByRule.flatMap { name in
            [
                Core(name: "?\(name)=&") { "https://shop.example/?a=1&\(name)=\($0)&b=2" },
                Core(name: "{\(name)}") { #"{"\#(name)":"\#($0)","b":1}"# },
                Core(name: "\(name.uppercased())=") { "x://y#\(name.uppercased())=\($0)" },
            ]
        }

    static let otherCores: [Core] = [
        Core(name: "a token without a name") { "Error validating EAAB\(lettersAndDigits($0)): it has expired" },
        Core(name: "a web token") {
            "Bad token eyJ\(lettersAndDigits($0)).eyJ\(lettersAndDigits($0)).\(lettersAndDigits($0))"
        },
        Core(name: "a name beside its value, in a query") { "x://y?name=access_token&value=\($0)&b=2" },
        Core(name: "a name beside its value, in JSON") { #"[{"name":"id_token","value":"\#($0)"}]"# },
        Core(name: "authorize?code&state") { "fb123://authorize?code=\($0)&state=\($0)" },
        Core(name: "authorize#state") { "fb123abc://authorize/#granted_scopes=email&state=\($0)" },
        Core(name: "authorize?error&state") { "FB123://AUTHORIZE?ERROR=access_denied&STATE=\($0)" },
        Core(name: "authorize?id_token") { "fb123://authorize#id_token=\($0)&state=1" },
        Core(name: "authorize, encoded in part") { "fb123%3A//authorize?x=1&code=\($0)" },
        Core(name: "authorize?signed_request") { "fb123://authorize?signed_request=\($0)&code=\($0)" },
    ]

    static let wrappings: [Wrapping] = [
        Wrapping(name: "as it is") { $0 },
        Wrapping(name: "encoded") { encoded($0) },
        Wrapping(name: "encoded twice") { encoded(encoded($0)) },
        Wrapping(name: "encoded three times") { encoded(encoded(encoded($0))) },
        Wrapping(name: "in a URL") { "https://w.example/?a=1&u=\(encoded($0))&z=2" },
        Wrapping(name: "in JSON") { #"{"k":\#(quoted($0)),"z":2}"# },
        Wrapping(name: "in JSON in a URL") { "x://y?j=\(encoded(#"{"k":\#(quoted($0))}"#))&z=2" },
        Wrapping(name: "in JSON in JSON") { #"{"k":\#(quoted(#"{"k":\#(quoted($0))}"#))}"# },
        Wrapping(name: "in an App Link's extras") {
            "myapp://x?al_applink_data="
                + encoded(#"{"target_url":"myapp://y","extras":{"fb_app_id":"1","note":\#(quoted($0))}}"#)
        },
        Wrapping(name: "in an App Link's target, as logged") {
            #"myapp://x?al_applink_data={"target_url":\#(quoted("myapp://y?z=\(encoded($0))")),"version":"1.0"}"#
        },
        Wrapping(name: "in applink args") {
            "myapp://x?fb_applink_args="
                + encoded(#"{"version":2,"method_args":{"ref":"r","target_url":\#(quoted($0))}}"#)
        },
        Wrapping(name: "in a callback") { "fbconnect://success?post_id=1_2&x=\(encoded($0))" },
        Wrapping(name: "in a bridge's arguments") {
            "fb123://bridge/share?bridge_args=\(encoded(#"{"action_id":"1","k":\#(quoted($0))}"#))"
                + "&method_results=\(encoded(#"{"completionGesture":"post","k":\#(quoted($0))}"#))"
        },
        Wrapping(name: "in a sentence") { "It failed: \($0)" },
    ]

    /// A token without a name is known by its shape, which has no other characters.
    private static func lettersAndDigits(_ text: String) -> String {
        text.filter { $0.isLetter || $0.isNumber }
    }

    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                return String(Unicode.Scalar(byte))
            default:
                return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// A text as a JSON string.
    static func quoted(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "\"\(escaped)\""
    }
}
