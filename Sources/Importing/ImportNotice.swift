/// What an import tells while it runs.
package enum ImportNotice: Equatable, Sendable {
    /// A file was begun before; its first lines are done.
    case resumes(file: String, line: Int)
    /// All of a file was imported before.
    case isDone(file: String, lines: Int, rejected: Int)
    /// A file was begun before, and its beginning is another now.
    case hasChanged(file: String, line: Int)
    case rejected(file: String, RejectedLine)
    /// In a dry run: an event that would be stored, as JSON.
    case event(String)
    /// - Parameters:
    ///   - events: that are decided.
    ///   - fraction: of the whole, 0…1; nil where the whole is not known.
    case progress(events: Int, fraction: Double?)
}
