import InboundLinks

/// How large the parts of an event may be, in bytes of UTF-8 where not said otherwise.
///
/// Those of docs/events.md, *Limits*, and a bound for every other text, so that no field can carry what no report can show.
package enum EventLimits {
    /// One event, as sent, without blanks around it.
    package static let event = 32 * 1024
    /// `url`, `target_url`, `referer_url`, `callback_url`, `link`.
    package static let url = 8 * 1024
    package static let ref = RefList.maximumBytes
    /// Refs of one event.
    package static let refCount = RefList.maximumCount
    /// `user_id`, `device_id`, `click_id`, `post_id`, `object_id`.
    package static let id = 256
    /// `properties`, as sent.
    package static let properties = 4 * 1024
    /// Containers inside containers in `properties`, itself included.
    package static let propertiesDepth = 32
    /// `name`, `action_type`, `referer_app`.
    package static let name = 256
    /// `error_message`.
    package static let message = 4 * 1024
    /// Events in one batch.
    package static let batchCount = 5_000
    /// Containers inside containers in a whole body.
    package static let bodyDepth = 256
    /// How far ahead of its receipt an event may lie, once its sender's clock is corrected.
    package static let futureTolerance = Duration.seconds(60 * 60)
    /// A sender's clock that differs by less is taken to be right.
    package static let clockTolerance = Duration.seconds(5)
    /// How old an event may be, where nothing else is configured: 400 days.
    package static let defaultRetention = Duration.seconds(400 * 24 * 60 * 60)
}
