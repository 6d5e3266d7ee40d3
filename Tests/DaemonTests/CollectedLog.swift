import Logging
import Synchronization

/// Keeps what is logged.
final class CollectedLog: LogHandler {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock { $0 } }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let metadata = event.metadata.map { " \($0)" } ?? ""
        kept.withLock { $0.append("\(event.level) \(event.message)\(metadata)") }
    }
}
