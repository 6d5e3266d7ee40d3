/// What can be wrong with a call about apps.
package enum AppStoreError: Error, Equatable {
    case exists(id: String)
    case unknown(id: String, known: [String])
}
