/// The field of a form that asks for the app's write key or manage key, for the template `write-key`. A session of a
/// read key can only read; the other key is used for one change and never given back.
struct WriteKeyField {
    static let name = "key"

    /// Whether the form has to ask for it.
    var isAsked = Caller.needsWriteKey
    var title = Operation.takesWriteKey ? "Write key of the app" : "Manage key of the app"
    var example = Operation.takesWriteKey ? "trib_w_…" : "trib_m_…"
    /// Empty if nothing is wrong with the key.
    var problem: String
    var hasProblem: Bool
    /// Whether the form does nothing without it.
    var isRequired: Bool

    /// - Parameter problem: why the key that was entered may not do it.
    init(problem: String? = nil, isRequired: Bool = true) {
        self.isRequired = isRequired
        self.problem = problem.map { $0.hasSuffix(".") ? $0 : $0 + "." } ?? ""
        hasProblem = problem != nil
    }
}
