import InboundLinks

/// The limits of an event and of a batch, in bytes of UTF-8 unless another unit is given.
///
/// They are the limits of docs/events.md, *Limits*, and those that several fields share. ``EventField`` has the limit
/// of each text.
package enum EventLimits {
    /// One event, as sent, without blanks around it and without `install_referrer`.
    package static let event = 32 * 1024
    /// A URL.
    package static let url = 8 * 1024
    package static let ref = RefList.maximumBytes
    /// Refs of one event.
    package static let refCount = RefList.maximumCount
    /// The id of a person, a device, a click, a post or an object.
    package static let id = 256
    /// `properties`, as sent.
    package static let properties = 4 * 1024
    /// The value of a declared property, as reports show it.
    package static let propertyValue = 256
    /// Levels of nesting in `properties`. The object itself is level 1.
    package static let propertiesDepth = 32
    /// The name of a goal, an action or an app.
    package static let name = 256
    /// `error_message`.
    package static let message = 4 * 1024
    /// Events in one batch.
    package static let batchCount = 5_000
    /// Events in one batch of an app. Anyone can read its key, and a phone has few.
    package static let appBatchCount = 100
    /// Levels of nesting in a whole body. The root is level 0.
    package static let bodyDepth = 256
    /// How much later than its receipt an event's time may be, after the sender's clock is corrected.
    package static let futureTolerance = Duration.seconds(60 * 60)
    /// A difference of the sender's clock up to this is not corrected.
    package static let clockTolerance = Duration.seconds(5)
    /// How old an event may be by default: 400 days.
    package static let defaultRetention = Duration.seconds(400 * 24 * 60 * 60)
}
