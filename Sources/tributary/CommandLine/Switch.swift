import ArgumentParser
import Text

/// The value of an option that is on or off, by any of the words that switches of reports take.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off

    init?(argument: String) {
        guard let isOn = SwitchWord.meanings[argument] else { return nil }
        self = isOn ? .on : .off
    }
}

extension ArgumentHelp {
    /// Of an option with few values: a message about a missing one names them all.
    static func choice<Value: CaseIterable & RawRepresentable<String>>(of _: Value.Type, _ text: String) -> Self {
        ArgumentHelp(text, valueName: Value.allCases.map(\.rawValue).joined(separator: "|"))
    }
}
