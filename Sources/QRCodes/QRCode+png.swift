extension QRCode {
    /// A PNG image in black and white.
    ///
    /// - Parameter scale: pixels along one side of a module.
    package func png(scale: Int = 8) -> [UInt8] {
        let side = (size + 2 * Self.quietZone) * scale
        var rows: [UInt8] = []
        for y in 0..<side {
            // No filter.
            rows.append(0)
            var byte: UInt8 = 0
            for x in 0..<side {
                let isLight = !self[y / scale - Self.quietZone, x / scale - Self.quietZone]
                byte = byte << 1 | (isLight ? 1 : 0)
                if x % 8 == 7 { rows.append(byte) }
            }
            if side % 8 != 0 { rows.append(byte << UInt8(8 - side % 8)) }
        }
        var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = PNGChunk.bytes(of: UInt32(side)) + PNGChunk.bytes(of: UInt32(side)) + [1, 0, 0, 0, 0]
        PNGChunk.append("IHDR", header, to: &png)
        PNGChunk.append("IDAT", PNGChunk.stored(rows), to: &png)
        PNGChunk.append("IEND", [], to: &png)
        return png
    }
}

/// The parts of a PNG file (RFC 2083).
private enum PNGChunk {
    static func bytes(of number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    static func append(_ name: String, _ data: [UInt8], to png: inout [UInt8]) {
        let body = Array(name.utf8) + data
        png += bytes(of: UInt32(data.count)) + body + bytes(of: checksum(body))
    }

    /// zlib's format without compression: codes are small.
    static func stored(_ data: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < data.count {
            let count = min(data.count - start, 65_535)
            let isLast = start + count == data.count
            let low = UInt8(truncatingIfNeeded: count)
            let high = UInt8(truncatingIfNeeded: count >> 8)
            result += [isLast ? 1 : 0, low, high, ~low, ~high]
            result += data[start..<start + count]
            start += count
        }
        var (first, second): (UInt32, UInt32) = (1, 0)
        for byte in data {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        return result + bytes(of: second << 16 | first)
    }

    /// CRC-32.
    private static func checksum(_ data: [UInt8]) -> UInt32 {
        var value: UInt32 = .max
        for byte in data {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~value
    }
}
