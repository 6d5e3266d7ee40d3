/// An accepted event, with its place in the batch.
package struct DecodedEvent: Equatable, Sendable {
    /// What the sender of a stored event should know.
    package struct Warning: Equatable, Sendable {
        /// Raw values are the spelling on the wire.
        package enum Code: String, CaseIterable, Sendable {
            /// The install referrer has campaign data of Meta, and the app has no key for it.
            case metaKeyMissing = "meta_key_missing"
            /// The app's key does not open the campaign data, or the data was changed.
            case metaDataUnreadable = "meta_data_unreadable"
            /// The event is stored without a field that could not be read, or that says nothing.
            case fieldLeftOut = "field_left_out"
            /// A declared property is there, but reports take it for absent.
            case propertyWithoutValue = "property_without_value"
        }

        package var code: Code
        /// Nil if no single field is concerned.
        package var field: String?
        /// A sentence for the sender. Never contains a value of the event.
        package var message: String
    }

    /// Position in the batch, from 0. Rejected events count too.
    package var index: Int
    package var event: Event
    /// Whether the event came without an id and got one here. The answer then tells the sender the id.
    package var hasMadeID: Bool
    package var warnings: [Warning]

    package init(index: Int, event: Event, hasMadeID: Bool, warnings: [Warning] = []) {
        self.index = index
        self.event = event
        self.hasMadeID = hasMadeID
        self.warnings = warnings
    }
}

extension DecodedEvent.Warning {
    static let metaKeyMissing = Self(
        code: .metaKeyMissing,
        field: EventField.installReferrer.key,
        message: """
            install_referrer has campaign data of Meta, for which the app has no key; set it with \
            'tributary app update --meta-referrer-key'
            """
    )

    static let metaDataUnreadable = Self(
        code: .metaDataUnreadable,
        field: EventField.installReferrer.key,
        message: """
            the app's Meta key does not open the campaign data in install_referrer; the install is stored without \
            it. Check the key, and send the referrer exactly as it is
            """
    )

    static func leftOut(_ field: EventField, _ reason: String) -> Self {
        Self(code: .fieldLeftOut, field: field.key, message: "the event is stored without \(field.key): \(reason)")
    }
}
