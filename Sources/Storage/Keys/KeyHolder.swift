/// Who holds a key.
package struct KeyHolder: Equatable, Sendable {
    package var appNumber: Int32
    package var appID: String
    package var scope: AppKey.Scope
    package var keyPrefix: String
}
