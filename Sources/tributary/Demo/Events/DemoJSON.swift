import Foundation

/// JSON on one line, with sorted keys, so that the same day gives the same bytes.
enum DemoJSON {
    /// - Parameter slashes: escaped as `\/`, as PHP and iOS write them.
    static func text(_ value: DemoValue, slashes: SlashStyle = .plain) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = slashes == .plain ? [.sortedKeys, .withoutEscapingSlashes] : [.sortedKeys]
        // Encoding cannot fail: the values are texts, numbers, flags, lists and objects.
        let data = (try? encoder.encode(value)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    enum SlashStyle {
        case plain, escaped
    }
}
