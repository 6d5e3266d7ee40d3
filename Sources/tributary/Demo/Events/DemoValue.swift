/// A JSON value of an event or of a link.
enum DemoValue: Sendable, Encodable, ExpressibleByStringInterpolation {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([String])
    case object([String: DemoValue])

    init(stringLiteral text: String) {
        self = .text(text)
    }

    /// An amount of money as a decimal.
    static func amount(cents: Int) -> DemoValue {
        let decimals = String(cents % 100)
        return .text("\(cents / 100).\(decimals.count == 1 ? "0" : "")\(decimals)")
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let texts): try container.encode(texts)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value as a form field.
    var formText: String {
        switch self {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): flag ? "true" : "false"
        case .list(let texts): texts.joined(separator: ",")
        case .object: DemoJSON.text(self)
        }
    }
}
