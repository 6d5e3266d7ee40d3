package import Storage
import Time

extension QuestionRun {
    /// `2026-11-23 to 2026-11-29`.
    package var days: String {
        let last = CivilDate(number: to.number - 1)
        return from == last ? "\(from)" : "\(from) to \(last)"
    }

    /// What became of it, for people.
    package var status: String {
        let time = (finishedAt ?? dueAt).map { " \($0.rfc3339.prefix(16).replacing("T", with: " ")) UTC" } ?? ""
        let tried = attempts == 1 ? "once" : "\(attempts) times"
        switch state {
        case .sent: return "sent\(time)" + (remark.map { ": \($0)" } ?? "")
        case .quiet: return "nothing to tell\(time)" + (remark.map { ": \($0)" } ?? "")
        case .failed: return "failed\(time), tried \(tried)" + (remark.map { ": \($0)" } ?? "")
        case .waiting:
            guard let remark else { return "waiting" }
            return "tried \(tried), again\(time): \(remark)"
        }
    }
}
