/// An accepted event, with its place in the batch.
package struct DecodedEvent: Equatable, Sendable {
    /// What the sender of an event should know. Raw values are the codes on the wire.
    package enum Warning: String, CaseIterable, Sendable {
        /// The install referrer has campaign data of Meta, and the app has no key for it.
        case metaKeyMissing = "meta_key_missing"
        /// The app's key does not open the campaign data, or the data was changed.
        case metaDataUnreadable = "meta_data_unreadable"

        package var message: String {
            switch self {
            case .metaKeyMissing:
                """
                install_referrer has campaign data of Meta, for which the app has no key; set it with \
                'tributary app update --meta-referrer-key'
                """
            case .metaDataUnreadable:
                """
                the app's Meta key does not open the campaign data in install_referrer; the install is stored without \
                it. Check the key, and send the referrer exactly as it is
                """
            }
        }
    }

    /// Position in the batch, from 0. Rejected events count too.
    package var index: Int
    package var event: Event
    /// Whether the event came without an id and got one here. The answer then tells the sender the id.
    package var hasMadeID: Bool
    package var warning: Warning?

    package init(index: Int, event: Event, hasMadeID: Bool, warning: Warning? = nil) {
        self.index = index
        self.event = event
        self.hasMadeID = hasMadeID
        self.warning = warning
    }
}
