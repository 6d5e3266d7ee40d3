package import Time

/// The first start of an app on a device.
package struct Install: Equatable, Sendable {
    package var limitAdTracking: Bool?
    /// The deferred link that came with the install. It is a touch of its own.
    package var link: Touch?
    /// What Google Play passed on, redacted.
    package var referrer: String?

    package init(limitAdTracking: Bool? = nil, link: Touch? = nil, referrer: String? = nil) {
        self.limitAdTracking = limitAdTracking
        self.link = link
        self.referrer = referrer
    }
}
