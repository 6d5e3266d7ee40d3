package import Time

/// The first start of an app on a device.
package struct Install: Equatable, Sendable {
    package var limitAdTracking: Bool?
    /// The deferred link that came with the install. It is a touch of its own.
    package var link: Touch?
    /// What Google Play passed on, redacted.
    package var referrer: String?
    /// When the link to the store in `referrer` was tapped, as Google Play says.
    package var referrerClickedAt: Timestamp?
    /// When the download began.
    package var beganAt: Timestamp?

    package init(
        limitAdTracking: Bool? = nil,
        link: Touch? = nil,
        referrer: String? = nil,
        referrerClickedAt: Timestamp? = nil,
        beganAt: Timestamp? = nil
    ) {
        self.limitAdTracking = limitAdTracking
        self.link = link
        self.referrer = referrer
        self.referrerClickedAt = referrerClickedAt
        self.beganAt = beganAt
    }

    /// Whether the click came after the download had begun. Then a program on the device has added it, to claim an
    /// install that it did not bring: nothing in the referrer is believed.
    package var isInjected: Bool {
        guard let referrerClickedAt, let beganAt else { return false }
        return referrerClickedAt > beganAt
    }
}
