extension UInt8 {
    /// A blank of RFC 8259: space, tab, line feed, carriage return.
    var isJSONBlank: Bool {
        self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D
    }
}
