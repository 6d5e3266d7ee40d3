import Events

/// The page in place of a redirect to the App Store, which passes nothing on: from here the visitor takes the id of the
/// click along, by the clipboard or by a code.
package struct GetAppPage: Sendable {
    var title: String
    var description: String?
    /// The address of the store.
    package var store: String
    /// What the button copies; nil: nothing.
    package var copied: String?
    /// Nil if the page shows none.
    package var code: CarryCode?

    init(link: Link, app: LinkApp, store: Store, addresses: Addresses) {
        title = link.preview.title ?? app.name
        description = link.preview.description
        self.store = addresses.store(store)
        if app.iosCarry.copies { copied = addresses.carried }
        if app.iosCarry.showsCode { code = addresses.clickID.flatMap(EventID.init).map(CarryCode.init) }
    }
}
