/// What a key is for. A key is never for both.
package enum KeyScope: String, CaseIterable, Sendable {
    case write, read
}
