import Importing

/// Prints the notices of an import: events to standard output, messages to standard error.
final class ImportConsole {
    /// The most rejected lines that are printed one by one. Others are only counted.
    private static let shownRejections = 20

    private var progress = Progress()
    private var rejections = 0

    func tell(_ notice: ImportNotice) {
        switch notice {
        case .event(let json): print(json)
        case .progress(let events, let fraction): progress.show("events", done: events, fraction: fraction)
        case .resumes(let file, let line): write("\(file): continues after line \(line)")
        case .isEmpty(let file): write("\(file) is empty: it has no event")
        case .isDone(let file, let lines, let rejected):
            let but = rejected > 0 ? ", \(rejected) of them rejected" : ""
            write("\(file): already imported, \(lines) lines\(but); --again reads it from its beginning")
        case .hasChanged(let file, let line):
            write(
                "\(file): the \(line) lines that were imported have changed; reading the file from its beginning"
            )
        case .rejected(let file, let line):
            rejections += 1
            if rejections <= Self.shownRejections {
                write("\(file): \(line.description)")
            } else if rejections == Self.shownRejections + 1 {
                write("further rejections are only counted; --rejected FILE writes all of them")
            }
        }
    }

    func finish() {
        progress.finish()
    }

    private func write(_ line: String) { progress.write(line) }
}
