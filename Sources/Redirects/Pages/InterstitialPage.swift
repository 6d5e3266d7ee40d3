/// The page with buttons, for phones on which the app may be installed, or in place of a redirect to the App Store.
/// Nothing opens without a tap.
package struct InterstitialPage: Sendable {
    /// A way out of the page.
    package struct Button: Sendable {
        package var label: PageText
        package var address: String
        var leadsToStore = false
        var isFirst = false
    }

    var title: String
    var description: String?
    /// In order of preference.
    package var buttons: [Button]

    private init(link: Link, app: LinkApp, buttons: [Button]) {
        title = link.preview.title ?? app.name
        description = link.preview.description
        self.buttons = buttons
        if !buttons.isEmpty { self.buttons[0].isFirst = true }
    }

    /// For a device without the app.
    init(link: Link, app: LinkApp, getting store: Store, addresses: Addresses, theme: PageTheme) {
        let get = Button(label: theme.text(.get), address: addresses.store(store), leadsToStore: true)
        self.init(link: link, app: app, buttons: [get])
    }

    /// For a device that may have the app.
    init(link: Link, app: LinkApp, device: Device, store: Store?, addresses: Addresses, theme: PageTheme) {
        let open = link.appURL.map { url in
            let place = device == .android ? addresses.intent(url, store: store) : addresses.app(url)
            return Button(label: theme.text(.open), address: place)
        }
        let get = store.map { store in
            let place =
                switch store {
                case .iPhone, .iPad: "App Store"
                case .android: "Google Play"
                }
            // The store's page opens an app that is installed.
            return Button(
                label: theme.text(link.appURL == nil ? .openOrGet : .get).appending(": \(place)"),
                address: addresses.store(store),
                leadsToStore: true
            )
        }
        let web = link.mobilePage.map { Button(label: theme.text(.continue), address: addresses.web($0)) }
        let wanted = link.fallback == .store ? [open, get, web] : [open, web, get]
        self.init(link: link, app: app, buttons: wanted.compactMap { $0 })
    }
}
