public enum TributaryPlatform: String, Sendable, Encodable {
    case ios
    case android
    case web
    case desktop
}
