/// The page for Safari that says it runs on a Mac. If the screen takes touches, which its script sees, it is an iPad.
package struct IPadCheckPage: Sendable {
    /// Where a Mac goes, and everybody without scripts; nil if there is no web page.
    package var web: String?
    /// Where an iPad goes; nil if it gets ``onIPad``. If that has nothing but a store: the store, for an iPad without
    /// scripts.
    package var iPadAddress: String?
    /// Whether ``iPadAddress`` is a store.
    var leadsToStore: Bool
    package var onIPad: InterstitialPage?

    init(web: String?, onIPad: Redirect) {
        self.web = web
        iPadAddress = onIPad.location
        leadsToStore = onIPad.outcome == .storeIPad || onIPad.outcome == .storeIPhone
        guard case .interstitial(let page)? = onIPad.page else { return }
        self.onIPad = page
        if onIPad.outcome == .getAppPage {
            iPadAddress = page.buttons.first?.address
            leadsToStore = true
        }
    }
}
