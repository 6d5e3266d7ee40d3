import Events

/// What a visitor takes along from a page to the app that they install from the App Store, which passes nothing on: by
/// the clipboard, by a code, or both.
package struct CarriedClick: Sendable {
    /// The short link with the click's id, which the button to the store copies; nil: nothing.
    package private(set) var link: String?
    /// Nil if the page shows none.
    package internal(set) var code: CarryCode?

    package var isEmpty: Bool { link == nil && code == nil }

    init() {}

    /// - Parameter store: where the page leads. Google Play passes the click's id on.
    init(to store: Store?, of app: LinkApp, _ addresses: Addresses) {
        guard store?.isApples == true else { return }
        if app.iosCarry.copies { link = addresses.carried }
        if app.iosCarry.showsCode { code = addresses.clickID.flatMap(EventID.init).map(CarryCode.init) }
    }
}
