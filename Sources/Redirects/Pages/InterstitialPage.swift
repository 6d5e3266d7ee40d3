/// The page with buttons, for phones on which the app may be installed. Nothing opens without a tap.
package struct InterstitialPage: Sendable {
    /// A way out of the page.
    package struct Button: Sendable {
        package var label: String
        package var address: String
        var isFirst = false
    }

    var title: String
    var description: String?
    var appName: String
    /// In order of preference.
    package var buttons: [Button]

    init(link: Link, app: LinkApp, device: Device, store: Store?, addresses: Addresses) {
        title = link.preview.title ?? app.name
        description = link.preview.description
        appName = app.name
        let open = link.appURL.map { url in
            let place = device == .android ? addresses.intent(url, store: store) : addresses.app(url)
            return Button(label: "Open in \(app.name)", address: place)
        }
        let get = store.map { store in
            let place =
                switch store {
                case .iPhone, .iPad: "App Store"
                case .android: "Google Play"
                }
            // The store's page opens an app that is installed.
            return Button(
                label: link.appURL == nil ? "Open or get the app: \(place)" : "Get the app: \(place)",
                address: addresses.store(store)
            )
        }
        let web = link.mobilePage.map { Button(label: "Continue on the web", address: addresses.web($0)) }
        let wanted = link.fallback == .store ? [open, get, web] : [open, web, get]
        buttons = wanted.compactMap { $0 }
        if !buttons.isEmpty { buttons[0].isFirst = true }
    }
}
