import HTTPTypes

/// A form as somebody filled it, and why nothing was done. Without fields, it is the form before that.
struct FormState {
    var fields = FormFields()
    var problem: String?
    /// The field that the problem is about, if it is about one.
    var field: String?
    /// With a problem of its own if it may not do what the form asks for.
    var key = WriteKeyField()

    var status: HTTPResponse.Status {
        key.hasProblem ? .forbidden : problem == nil ? .ok : .unprocessableContent
    }

    subscript(name: String) -> String? { fields[name] }
}
