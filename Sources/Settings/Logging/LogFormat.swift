/// How the lines of a log are written (`log.format`).
package enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-11-25T06:41:14.120834Z notice listening address=127.0.0.1:8080`
    case text
    /// The same as one JSON object a line.
    case json
}
