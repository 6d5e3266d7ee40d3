/// Why a call about apps failed.
package enum AppStoreError: Error, Equatable {
    /// There is an app with this id already.
    case exists(id: String)
    /// Workers of a cluster have an app with this id that the coordinator has forgotten.
    case forgotten(id: String)
    /// There is no app with this id. `known` are the ids of all apps.
    case unknown(id: String, known: [String])
    /// The app has moved to another database (docs/moving.md).
    case moved(id: String)
    /// No app was named, and there is none or more than one. `known` are the ids of all apps.
    case unnamed(known: [String])
    /// A host of links belongs to another app: the app has it, or still has links on it.
    case hostTaken(host: String, by: String)
}
