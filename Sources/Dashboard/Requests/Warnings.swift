import InboundLinks
import Reporting
import Synchronization

/// What the reports of one page warn of. Each is said once.
final class Warnings: Sendable {
    private let messages = Mutex<[(text: String, isOfCurrencies: Bool)]>([])

    /// Values in the address that occur nowhere in the app: the figures say nothing about them.
    var sentences: [String] { sentences { !$0 } }
    /// What is in other currencies, and so not in a value. It is so on every day, and the figures are right.
    var footnotes: [String] { sentences { $0 } }

    private func sentences(where isWanted: (_ isOfCurrencies: Bool) -> Bool) -> [String] {
        messages.withLock { $0 }
            .filter { isWanted($0.isOfCurrencies) }
            .map { $0.text.hasSuffix("?") ? $0.text : "\($0.text)." }
    }

    func add(_ warnings: [ReportWarning]) {
        messages.withLock { messages in
            for warning in warnings {
                let text = Redaction.redact(warning.message.text(for: .http))
                guard !messages.contains(where: { $0.text.utf8.elementsEqual(text.utf8) }) else { continue }
                messages.append((text, warning.isOfCurrencies))
            }
        }
    }
}
