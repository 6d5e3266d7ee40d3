import Dispatch
import Synchronization

/// Bytes on their way from one connection to another, at most a few pieces of them. Both ends block, each on the queue
/// of its connection.
final class CopyPipe: Sendable {
    /// The other end has failed.
    struct Broken: Error {}

    private static let pieceBytes = 256 << 10
    private static let pieces = 8

    private struct State {
        var pieces: [[UInt8]] = []
        var piece: [UInt8] = []
        var isFinished = false
        var isBroken = false
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: CopyPipe.pieces)
    private let filled = DispatchSemaphore(value: 0)

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        let isFull = state.withLock { state in
            state.piece += bytes
            return state.piece.count >= Self.pieceBytes
        }
        if isFull { try hand() }
    }

    /// Call it after the last ``write(_:)``.
    func finish() throws {
        try hand()
        state.withLock { $0.isFinished = true }
        filled.signal()
    }

    private func hand() throws {
        room.wait()
        try state.withLock { state in
            if state.isBroken { throw Broken() }
            state.pieces.append(state.piece)
            state.piece = []
        }
        filled.signal()
    }

    /// The next bytes; nil at the end.
    func read() throws -> [UInt8]? {
        filled.wait()
        let piece = try state.withLock { state -> [UInt8]? in
            if state.isBroken { throw Broken() }
            return state.pieces.isEmpty ? nil : state.pieces.removeFirst()
        }
        if piece != nil { room.signal() }
        return piece
    }

    /// Ends both ends.
    func breakOff() {
        state.withLock { $0.isBroken = true }
        room.signal()
        filled.signal()
    }
}
