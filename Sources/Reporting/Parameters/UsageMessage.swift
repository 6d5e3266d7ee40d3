/// Where a request comes from. The command line has a few parameters more.
package enum RequestOrigin: Sendable {
    /// Also accepts a file to write to, and a request for the SQL.
    case commandLine
    case http
}

/// A sentence about a wrong request. It names parameters as they are typed: `--a` on the command line, `a` elsewhere.
///
/// `"\(parameter: "a") is required, for example \(parameter: "a", value: "gift")"`
package struct UsageMessage: Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Part: Sendable {
        case text(String)
        case parameter(String, value: String?)
    }

    /// The sentence as it is put together.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }
        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.text(value.description))
        }
        mutating func appendInterpolation(_ message: UsageMessage) { parts += message.parts }
        mutating func appendInterpolation(parameter name: String, value: String? = nil) {
            parts.append(.parameter(name, value: value))
        }
    }

    private let parts: [Part]

    package init(stringLiteral text: String) { parts = [.text(text)] }
    package init(stringInterpolation interpolation: StringInterpolation) { parts = interpolation.parts }

    package func text(for origin: RequestOrigin) -> String {
        parts.map { part in
            switch (part, origin) {
            case (.text(let text), _): text
            case (.parameter(let name, let value), .commandLine): "--\(name)" + (value.map { " \($0)" } ?? "")
            case (.parameter(let name, let value), .http): name + (value.map { "=\($0)" } ?? "")
            }
        }.joined()
    }
}

extension UsageMessage: Equatable {
    package static func == (first: Self, second: Self) -> Bool { first.text(for: .http) == second.text(for: .http) }
}
