import InboundLinks
import Reporting
import Synchronization

/// What the reports of one page warn of: values in the address that occur nowhere in the app, and
/// other currencies. Each is said once.
final class Warnings: Sendable {
    private let messages = Mutex<[String]>([])

    var sentences: [String] { messages.withLock { $0.map { $0.hasSuffix("?") ? $0 : "\($0)." } } }

    func add(_ warnings: [ReportWarning]) {
        messages.withLock { messages in
            for warning in warnings {
                let text = Redaction.redact(warning.message.text(for: .http))
                if !messages.contains(where: { $0.utf8.elementsEqual(text.utf8) }) { messages.append(text) }
            }
        }
    }
}
