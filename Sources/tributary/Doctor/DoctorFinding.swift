/// The result of one check of `tributary doctor` or `tributary app check`.
struct DoctorFinding {
    enum State: String {
        case good = "ok"
        /// It works now, but somebody should act.
        case warning
        /// Answered events may be lost.
        case damaged
        /// Events could not be stored now.
        case missing
        /// What visitors of links get is not what they should.
        case wrong
    }

    var state: State
    var what: String
    var advice: String?

    init(_ state: State, _ what: String, advice: String? = nil) {
        self.state = state
        self.what = what
        self.advice = advice
    }

    var lines: String {
        let label = state.rawValue + String(repeating: " ", count: 9 - state.rawValue.count)
        return label + what + (advice.map { "\n         \($0)" } ?? "")
    }
}
