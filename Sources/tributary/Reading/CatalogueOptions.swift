import ArgumentParser
import Reporting

/// Options of a command that a catalogue declares.
protocol CatalogueOptionList {
    static var options: [CatalogueOption] { get }
}

/// Parses the options of a list. The argument parser finds the options of a type by reflection, so this type shows
/// those of the list as if they were properties.
struct CatalogueOptions<List: CatalogueOptionList>: ParsableArguments, CustomReflectable {
    private enum Declaration {
        case value(Option<String?>)
        case values(Option<[String]>)
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let declarations: [(option: CatalogueOption, declaration: Declaration)]

    init() {
        declarations = List.options.map { ($0, Self.declaration(of: $0)) }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        declarations = try List.options.map { option in
            let name = Name(stringValue: option.name)
            let declaration: Declaration =
                switch option.kind {
                case .value: .value(try values.decode(Option<String?>.self, forKey: name))
                case .values: .values(try values.decode(Option<[String]>.self, forKey: name))
                }
            return (option, declaration)
        }
    }

    private static func declaration(of option: CatalogueOption) -> Declaration {
        let name = NameSpecification.customLong(option.name)
        switch option.kind {
        case .values:
            return .values(Option(wrappedValue: [], name: name, help: option.help, completion: option.completion))
        case .value:
            guard let implied = option.impliedValue else {
                return .value(Option(name: name, help: option.help, completion: option.completion))
            }
            return .value(
                Option(name: name, defaultAsFlag: implied, help: option.help, completion: option.completion)
            )
        }
    }

    var customMirror: Mirror {
        Mirror(
            self,
            children: declarations.map { option, declaration in
                switch declaration {
                case .value(let value): (label: option.name, value: value as Any)
                case .values(let values): (label: option.name, value: values as Any)
                }
            },
            displayStyle: .struct
        )
    }

    /// The parameters that are given. A flag has the value `true`.
    var parameters: [(name: String, value: String)] {
        declarations.flatMap { option, declaration in
            let values: [String] =
                switch declaration {
                case .value(let value): value.wrappedValue.map { [$0] } ?? []
                case .values(let values) where option.parameter.repetition == .list && !values.wrappedValue.isEmpty:
                    [values.wrappedValue.joined(separator: ",")]
                case .values(let values): values.wrappedValue
                }
            return values.map { (name: option.name, value: $0) }
        }
    }

    /// The value of an option that may be given once; nil if it is not given.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
