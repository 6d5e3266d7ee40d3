/// What a key allows: writing or reading, never both.
package enum KeyScope: String, CaseIterable, Sendable {
    case write, read
}
