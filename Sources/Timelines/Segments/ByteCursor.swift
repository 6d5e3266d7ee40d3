/// Reads numbers from borrowed memory. Past the end it returns 0 and sets `isBroken` instead of trapping, because
/// stored bytes may be damaged.
struct ByteCursor {
    private var position: UnsafeRawPointer
    private let end: UnsafeRawPointer
    /// Whether a read went past the end.
    private(set) var isBroken = false

    init(_ bytes: UnsafeRawBufferPointer) {
        // An empty buffer may have no address. Nothing is read from this one.
        position = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped
        end = position + bytes.count
    }

    var isAtEnd: Bool { position >= end }

    @inline(__always)
    mutating func next<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type) -> Number {
        guard end - position >= MemoryLayout<Number>.size else {
            isBroken = true
            return 0
        }
        defer { position += MemoryLayout<Number>.size }
        return Number(littleEndian: position.loadUnaligned(as: Number.self))
    }

    @inline(__always)
    mutating func skip(_ count: Int) {
        guard end - position >= count else {
            isBroken = true
            return
        }
        position += count
    }

    /// Sets `isBroken` if fewer bytes are left.
    @inline(__always)
    mutating func expect(_ count: Int) {
        if end - position < count { isBroken = true }
    }

    mutating func nextHash() -> PersonHash {
        let high = next(UInt64.self)
        return PersonHash(high: high, low: next(UInt64.self))
    }

    mutating func nextBytes(_ count: Int) -> UnsafeRawBufferPointer {
        guard count >= 0, end - position >= count else {
            isBroken = true
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        defer { position += count }
        return UnsafeRawBufferPointer(start: position, count: count)
    }
}

extension [UInt8] {
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    mutating func append(_ hash: PersonHash) {
        append(number: hash.high)
        append(number: hash.low)
    }
}
