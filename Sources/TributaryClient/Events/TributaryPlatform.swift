/// Where the person used the app.
public enum TributaryPlatform: String, Sendable, Encodable {
    case ios
    case android
    case web
    case desktop
}
