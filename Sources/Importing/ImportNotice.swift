/// A message of an import while it runs.
package enum ImportNotice: Equatable, Sendable {
    /// A file was partly imported before; the import continues after this line.
    case resumes(file: String, line: Int)
    /// A file has no line.
    case isEmpty(file: String)
    /// A file was completely imported before.
    case isDone(file: String, lines: Int, rejected: Int)
    /// A file was imported up to this line before, and that part has changed since.
    case hasChanged(file: String, line: Int)
    case rejected(file: String, RejectedLine)
    /// In a dry run: an event that would be stored, as JSON.
    case event(String)
    /// - Parameters:
    ///   - events: the events so far: accepted, duplicate and rejected ones.
    ///   - fraction: of the whole, 0…1; nil if the whole is not known.
    case progress(events: Int, fraction: Double?)
}
