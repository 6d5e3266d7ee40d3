/// The page for Safari that says it runs on a Mac. If the screen takes touches, which its script sees, it is an iPad.
package struct IPadCheckPage: Sendable {
    /// Where a Mac goes, and everybody without scripts; nil if there is no web page.
    package var web: String?
    /// Where an iPad goes; nil if it gets ``interstitial``.
    package var iPadAddress: String?
    /// Whether ``iPadAddress`` is a store.
    var leadsToStore: Bool
    package var interstitial: InterstitialPage?
    var appName: String

    init(web: String?, onIPad: Redirect, appName: String) {
        self.web = web
        self.appName = appName
        iPadAddress = onIPad.location
        leadsToStore = onIPad.outcome == .storeIPad || onIPad.outcome == .storeIPhone
        if case .interstitial(let page)? = onIPad.page { interstitial = page }
    }
}
