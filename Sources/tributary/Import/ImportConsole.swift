import Importing

/// Tells people how an import goes.
final class ImportConsole {
    /// Rejected lines told one by one; the others are only counted.
    private static let shownRejections = 20

    private var progress = Progress()
    private var rejections = 0

    func tell(_ notice: ImportNotice) {
        switch notice {
        case .event(let json): print(json)
        case .progress(let events, let fraction): progress.show("events", done: events, fraction: fraction)
        case .resumes(let file, let line): write("\(file): goes on behind line \(line)")
        case .isDone(let file, let lines, let rejected):
            let but = rejected > 0 ? ", \(rejected) of them rejected" : ""
            write("\(file): imported before, \(lines) lines\(but); --again reads it from its beginning")
        case .hasChanged(let file, let line):
            write(
                "\(file): not the file any more whose first \(line) lines were imported; it is read from its beginning"
            )
        case .rejected(let file, let line):
            rejections += 1
            if rejections <= Self.shownRejections {
                write("\(file): \(line.description)")
            } else if rejections == Self.shownRejections + 1 {
                write("further rejections are counted; --rejected FILE tells them all")
            }
        }
    }

    func finish() {
        progress.finish()
    }

    private func write(_ line: String) {
        // A message would stand behind the progress.
        progress.finish()
        StandardError.write(line)
    }
}
