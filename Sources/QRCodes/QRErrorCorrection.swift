/// Reed–Solomon codes over GF(256), as QR codes use them at level M.
enum QRErrorCorrection {
    /// By version: correction codewords of each block, and how many blocks there are (ISO/IEC 18004, table 9).
    private static let blocks: [(correction: Int, count: Int)] = [
        (10, 1), (16, 1), (26, 1), (18, 2), (24, 2), (16, 4), (18, 4), (22, 4), (22, 5), (26, 5),
        (30, 5), (22, 8), (22, 9), (24, 9), (24, 10), (28, 10), (28, 11), (26, 13), (26, 14), (26, 16),
        (26, 17), (28, 17), (28, 18), (28, 20), (28, 21), (28, 23), (28, 25), (28, 26), (28, 28), (28, 29),
        (28, 31), (28, 33), (28, 35), (28, 37), (28, 38), (28, 40), (28, 43), (28, 45), (28, 47), (28, 49),
    ]

    /// Codewords of both kinds that a version holds.
    static func allCodewords(_ version: Int) -> Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    static func dataCodewords(_ version: Int) -> Int {
        let block = blocks[version - 1]
        return allCodewords(version) - block.correction * block.count
    }

    /// The message with its correction, interleaved.
    static func codewords(for message: QRMessage) -> [UInt8] {
        let (correction, count) = blocks[message.version - 1]
        let all = allCodewords(message.version)
        let shortCount = count - all % count
        let shortLength = all / count - correction
        let divisor = divisor(degree: correction)
        var data: [[UInt8]] = []
        var start = 0
        for index in 0..<count {
            let end = start + shortLength + (index < shortCount ? 0 : 1)
            data.append(Array(message.codewords[start..<end]))
            start = end
        }
        var result: [UInt8] = []
        for position in 0...shortLength {
            for block in data where position < block.count { result.append(block[position]) }
        }
        let remainders = data.map { remainder($0, divisor) }
        for position in 0..<correction {
            for remainder in remainders { result.append(remainder[position]) }
        }
        return result
    }

    private static func divisor(degree: Int) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: degree)
        result[degree - 1] = 1
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in 0..<degree {
                result[index] = product(result[index], root)
                if index + 1 < degree { result[index] ^= result[index + 1] }
            }
            root = product(root, 2)
        }
        return result
    }

    private static func remainder(_ data: [UInt8], _ divisor: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: divisor.count)
        for byte in data {
            let factor = byte ^ result.removeFirst()
            result.append(0)
            for index in divisor.indices { result[index] ^= product(divisor[index], factor) }
        }
        return result
    }

    private static func product(_ first: UInt8, _ second: UInt8) -> UInt8 {
        var result = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= Int(second >> bit & 1) * Int(first)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
