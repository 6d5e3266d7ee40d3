import Foundation

/// JSON on one line, keys in order, so that the same day has the same bytes.
enum DemoJSON {
    /// - Parameter slashes: escaped as `\/`, as PHP and iOS write them.
    static func text(_ value: DemoValue, slashes: SlashStyle = .plain) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = slashes == .plain ? [.sortedKeys, .withoutEscapingSlashes] : [.sortedKeys]
        // Texts, numbers and lists of them: nothing that JSON cannot say.
        let data = (try? encoder.encode(value)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    enum SlashStyle {
        case plain, escaped
    }
}
