/// The outcome of a login (docs/links.md, *Login results*). Raw values are the spelling on the wire.
package enum LoginOutcome: String, CaseIterable, Sendable {
    /// The only outcome that authenticates a person.
    case granted
    /// The person closed the dialog.
    case cancelled
    /// The person, or Facebook, refused the permission.
    case denied
    case failed
}
