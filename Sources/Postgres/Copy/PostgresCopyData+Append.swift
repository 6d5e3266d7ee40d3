#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Appends the fields of a row, one call for each. Nil is null.
extension PostgresCopyData {
    package func appendNull() {
        Self.store(UInt32.max, at: field(0))
    }

    /// Appends `count` null fields.
    package func appendNulls(_ count: Int) {
        missingFields -= count
        memset(room(4 * count), 0xFF, 4 * count)
    }

    /// `smallint`.
    package func append(int16 value: Int16?) {
        guard let value else { return appendNull() }
        appendFixed(UInt16(bitPattern: value))
    }

    /// `integer`.
    package func append(int32 value: Int32?) {
        guard let value else { return appendNull() }
        appendFixed(UInt32(bitPattern: value))
    }

    /// `bigint`.
    package func append(int64 value: Int64?) {
        guard let value else { return appendNull() }
        appendFixed(UInt64(bitPattern: value))
    }

    package func append(bool value: Bool?) {
        guard let value else { return appendNull() }
        let target = field(1)
        Self.store(UInt32(1), at: target)
        target.storeBytes(of: value ? 1 : 0, toByteOffset: 4, as: UInt8.self)
    }

    /// `timestamptz`: microseconds since 1970-01-01T00:00:00Z; `Int64.max` is `infinity`, `Int64.min` `-infinity`.
    package func append(timestamp microseconds: Int64?) {
        guard let microseconds else { return appendNull() }
        appendFixed(UInt64(bitPattern: PostgresTimestamp.encode(microseconds)))
    }

    package func append(uuidHigh high: UInt64, low: UInt64) {
        let target = field(16)
        Self.store(UInt32(16), at: target)
        Self.store(high, at: target + 4)
        Self.store(low, at: target + 12)
    }

    package func append(uuid value: (high: UInt64, low: UInt64)?) {
        guard let value else { return appendNull() }
        append(uuidHigh: value.high, low: value.low)
    }

    /// `text`, `varchar` and other text types. If the text contains U+0000, `copyIn` refuses the data.
    package func append(text: String?) {
        guard let text else { return appendNull() }
        appendText(text, prefix: nil)
    }

    package func append(enumLabel label: String?) {
        append(text: label)
    }

    /// - Parameter text: JSON. The server parses it.
    package func append(jsonb text: String?) {
        guard let text else { return appendNull() }
        appendText(text, prefix: 1)
    }

    /// `bytea`.
    package func append(bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        bytes.withUnsafeBytes { append(bytes: $0) }
    }

    /// `bytea`.
    package func append(bytes: UnsafeRawBufferPointer) {
        let target = field(bytes.count)
        Self.store(UInt32(truncatingIfNeeded: bytes.count), at: target)
        Self.copy(bytes, to: target + 4)
    }

    /// `numeric`, exactly: 12_500_000 is 12.5.
    package func append(numericMillionths value: Int64?) {
        guard let value else { return appendNull() }
        missingFields -= 1
        let start = room(4 + 28)
        var target = start + 4
        BinaryNumeric.forEachWord(ofMillionths: value) { word in
            Self.store(word, at: target)
            target += 2
        }
        let size = target - start
        Self.store(UInt32(size - 4), at: start)
        buffer.truncate(to: buffer.count - (4 + 28 - size))
    }

    /// `text[]`.
    package func append(textArray values: [String]?) {
        guard let values else { return appendNull() }
        let start = beginArray(count: values.count, type: TypeOID.text)
        for value in values {
            appendElement(value)
        }
        endArray(start)
    }

    private func appendText(_ text: String, prefix: UInt8?) {
        var text = text
        let prefixSize = prefix == nil ? 0 : 1
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            checkText(bytes)
            let target = field(prefixSize + bytes.count)
            Self.store(UInt32(truncatingIfNeeded: prefixSize + bytes.count), at: target)
            if let prefix {
                target.storeBytes(of: prefix, toByteOffset: 4, as: UInt8.self)
            }
            Self.copy(bytes, to: target + 4 + prefixSize)
        }
    }

    private func appendElement(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            let bytes = UnsafeRawBufferPointer(utf8)
            checkText(bytes)
            let target = room(4 + bytes.count)
            Self.store(UInt32(truncatingIfNeeded: bytes.count), at: target)
            Self.copy(bytes, to: target + 4)
        }
    }

    /// Begins an array in the format of `array_recv` in PostgreSQL's sources. An empty array has no dimension.
    ///
    /// - Returns: where the field begins in the buffer.
    private func beginArray(count: Int, type: UInt32) -> Int {
        missingFields -= 1
        let start = buffer.count
        let target = room(count == 0 ? 16 : 24)
        Self.store(UInt32(count == 0 ? 0 : 1), at: target + 4)
        Self.store(UInt32(0), at: target + 8)
        Self.store(type, at: target + 12)
        if count > 0 {
            Self.store(UInt32(truncatingIfNeeded: count), at: target + 16)
            Self.store(UInt32(1), at: target + 20)
        }
        return start
    }

    private func endArray(_ start: Int) {
        Self.store(UInt32(truncatingIfNeeded: buffer.count - start - 4), at: buffer.base + start)
    }
}
