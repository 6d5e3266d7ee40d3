import Gzip
import NIOCore
import Testing

@testable import Ingest

@Suite("Inflating")
struct InflatedBodyTests {
    private static let text = Array((0..<20_000).map { "line \($0 % 977)\n" }.joined().utf8)

    @Test(arguments: [1, 2, 3, 7, 1_000, 1 << 20])
    func inflatesInPiecesOfAnySize(size: Int) throws {
        let inflated = try InflatedBody(limit: 1 << 20)
        let compressed = gzip(Self.text)
        for start in stride(from: 0, to: compressed.count, by: size) {
            try inflated.append(ByteBuffer(bytes: compressed[start..<min(start + size, compressed.count)]))
        }
        try inflated.finish()
        #expect(inflated.output == ByteBuffer(bytes: Self.text))
    }

    @Test func inflatesMembersThatFollowEachOther() throws {
        let inflated = try InflatedBody(limit: 100)
        try inflated.append(ByteBuffer(bytes: gzip(Array("one,".utf8)) + gzip([]) + gzip(Array("two".utf8))))
        try inflated.finish()
        #expect(inflated.output == ByteBuffer(string: "one,two"))
    }

    /// As `gzip -dc` does. Some programs fill their last block with zero bytes.
    @Test(arguments: [1, 2, 10_240])
    func passesOverZeroBytesAtTheEnd(count: Int) throws {
        let zeros = [UInt8](repeating: 0, count: count)
        let padded = gzip(Array("one,".utf8)) + gzip(Array("two".utf8)) + zeros
        for size in [1, 1_000, padded.count] {
            let inflated = try InflatedBody(limit: 100)
            for start in stride(from: 0, to: padded.count, by: size) {
                try inflated.append(ByteBuffer(bytes: padded[start..<min(start + size, padded.count)]))
            }
            try inflated.finish()
            #expect(inflated.output == ByteBuffer(string: "one,two"))
            #expect(throws: GzipInflater.Failure.malformed) { try inflated.append(ByteBuffer(bytes: [0, 0x1F])) }
        }
        let empty = try InflatedBody(limit: 100)
        #expect(throws: GzipInflater.Failure.malformed) { try empty.append(ByteBuffer(bytes: zeros + padded)) }
    }

    @Test func takesExactlyItsLimit() throws {
        let compressed = ByteBuffer(bytes: gzip(Self.text))
        let inflated = try InflatedBody(limit: Self.text.count)
        try inflated.append(compressed)
        try inflated.finish()
        let tight = try InflatedBody(limit: Self.text.count - 1)
        #expect(throws: GzipInflater.Failure.tooLarge) { try tight.append(compressed) }
    }

    @Test func holdsNoMoreThanItsLimitOfABomb() throws {
        let bomb = ByteBuffer(bytes: gzip(Array(repeating: 0, count: 16 << 20)))
        let inflated = try InflatedBody(limit: 1 << 20)
        #expect(throws: GzipInflater.Failure.tooLarge) { try inflated.append(bomb) }
        #expect(inflated.output.readableBytes == (1 << 20) + 1)
        #expect(inflated.output.capacity <= 4 << 20)
    }

    @Test(arguments: [[], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]] as [[UInt8]])
    func refusesATruncatedStream(bytes: [UInt8]) throws {
        let inflated = try InflatedBody(limit: 100)
        try inflated.append(ByteBuffer(bytes: bytes))
        #expect(throws: GzipInflater.Failure.malformed) { try inflated.finish() }
    }

    @Test func refusesDamage() throws {
        let compressed = gzip(Self.text)
        for position in stride(from: 0, to: compressed.count, by: 97) {
            var damaged = compressed
            damaged[position] ^= 0x55
            let inflated = try InflatedBody(limit: 1 << 20)
            do throws(GzipInflater.Failure) {
                try inflated.append(ByteBuffer(bytes: damaged))
                try inflated.finish()
                // A few header bytes (time, system) have no effect.
                #expect(inflated.output == ByteBuffer(bytes: Self.text))
            } catch {
                #expect(error == .malformed || error == .tooLarge)
            }
        }
    }
}
