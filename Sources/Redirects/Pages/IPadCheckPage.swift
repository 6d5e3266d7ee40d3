/// The page for Safari that says it runs on a Mac. If the screen takes touches, which its script sees, it is an iPad.
package struct IPadCheckPage: Sendable {
    /// Where a Mac goes, and everybody without scripts; nil if there is no web page.
    package var web: String?
    /// Where an iPad goes; nil if it gets ``interstitial``. An iPad that gets ``getApp`` goes there without scripts.
    package var iPadAddress: String?
    /// Whether ``iPadAddress`` is a store.
    var leadsToStore: Bool
    package var interstitial: InterstitialPage?
    package var getApp: GetAppPage?

    init(web: String?, onIPad: Redirect) {
        self.web = web
        iPadAddress = onIPad.location
        leadsToStore = onIPad.outcome == .storeIPad || onIPad.outcome == .storeIPhone
        switch onIPad.page {
        case .interstitial(let page)?: interstitial = page
        case .getApp(let page)?:
            getApp = page
            iPadAddress = page.store
            leadsToStore = true
        default: break
        }
    }
}
