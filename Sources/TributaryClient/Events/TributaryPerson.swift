/// The person of an event. Give every id that you know: an event with two ids joins the histories of both.
public struct TributaryPerson: Sendable, Equatable {
    /// The app's own id of a user who has logged in, 1–256 bytes.
    public var userID: String?
    /// An id of the installation or the device, 1–256 bytes.
    public var deviceID: String?
    /// An id of a click on a link, 1–256 bytes.
    public var clickID: String?

    public init(userID: String? = nil, deviceID: String? = nil, clickID: String? = nil) {
        self.userID = userID
        self.deviceID = deviceID
        self.clickID = clickID
    }

    public static func user(_ id: String) -> TributaryPerson { TributaryPerson(userID: id) }
    public static func user(_ id: String, device: String) -> TributaryPerson {
        TributaryPerson(userID: id, deviceID: device)
    }
    public static func device(_ id: String) -> TributaryPerson { TributaryPerson(deviceID: id) }
    public static func click(_ id: String) -> TributaryPerson { TributaryPerson(clickID: id) }
    /// No known person. Only for feed posts and link clicks.
    public static let nobody = TributaryPerson()
}
