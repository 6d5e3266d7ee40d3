import Foundation
package import Logging
import Synchronization
import Time

/// Writes each log entry as one line to standard error.
package struct LineLogHandler: LogHandler {
    /// Lines of several threads must not mix.
    private static let lock = Mutex(())

    package var logLevel = Logger.Level.info
    package var metadata = Logger.Metadata()
    package var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let format: LogFormat

    package init(label: String, format: LogFormat = .text) {
        self.label = label
        self.format = format
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var metadata = self.metadata
        metadata.merge(metadataProvider?.get() ?? [:]) { $1 }
        metadata.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { metadata["error"] = "\(error)" }
        let line = LogLine(
            time: .now,
            level: event.level,
            message: event.message.description,
            metadata: metadata,
            logger: label,
            source: event.source
        )
        Self.write(line.text(as: format))
    }

    private static func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        lock.withLock { _ in
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes {
                    Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
                }
                if count > 0 {
                    written += count
                } else if errno != EINTR {
                    // Nobody reads the log.
                    return
                }
            }
        }
    }
}
