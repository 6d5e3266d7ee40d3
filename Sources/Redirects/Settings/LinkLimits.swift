import Events
import InboundLinks

/// The limits of a link, in bytes of UTF-8 unless another unit is given.
package enum LinkLimits {
    package static let slug = 128
    package static let url = EventLimits.url
    /// `app_url` and `image_url`: a crawler's page must hold them within its first 4 KB.
    package static let tagURL = 1024
    package static let refCount = RefList.maximumCount
    package static let ref = RefList.maximumBytes
    /// `title` and `site_name`.
    package static let name = 256
    package static let description = 1024
    package static let ogType = 64
    /// Characters.
    package static let campaign = 30
    package static let note = 1024
    package static let host = 253
}
