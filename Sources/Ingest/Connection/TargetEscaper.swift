import NIOCore
import Text

/// Percent-encodes what is not ASCII in the targets of requests, before the codec reads them: its parser refuses such
/// bytes. Some clients send them as they are, such as curl for `/été`.
///
/// It must know where each request begins. So no piece that it hands on reaches beyond the end of a request, and
/// ``ConnectionHandler`` tells it what the codec found.
final class TargetEscaper: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// What the next byte belongs to.
    private enum Place {
        /// Line breaks before a request, or its first line.
        case beginning
        case firstLine
        /// Header fields, or a body in chunks. Both end with a line.
        case lines
        case body(remaining: Int)
    }

    private static let (lf, cr) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    private var place = Place.beginning
    /// The bytes of the first line from the first that is not ASCII on.
    private var foreign: [UInt8] = []

    /// Whether the first line of the current request is UTF-8.
    var isFirstLineText: Bool { String(validating: foreign, as: UTF8.self) != nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        while let piece = nextPiece(&input) { context.fireChannelRead(wrapInboundOut(piece)) }
    }

    /// The codec has read a head.
    func headEnded(body: ConnectionState.Head.Body) {
        if case .bytes(let count) = body, count > 0 { place = .body(remaining: count) }
    }

    func requestEnded() {
        place = .beginning
    }

    private func nextPiece(_ input: inout ByteBuffer) -> ByteBuffer? {
        if case .beginning = place {
            // RFC 9112 section 2.2 wants them ignored.
            input.moveReaderIndex(
                forwardBy: input.readableBytesView.prefix { $0 == Self.lf || $0 == Self.cr }.count
            )
            guard input.readableBytes > 0 else { return nil }
            foreign.removeAll()
            place = .firstLine
        }
        guard input.readableBytes > 0 else { return nil }
        let length: Int
        switch place {
        case .beginning, .firstLine: return firstLine(&input)
        case .lines: length = input.withUnsafeReadableBytes { Self.endOfLine($0) ?? $0.count }
        case .body(let remaining):
            length = min(remaining, input.readableBytes)
            place = .body(remaining: remaining - length)
        }
        return input.readSlice(length: length)
    }

    /// The first line, or as much of it as is there. If it is ASCII, the header fields too, if they are complete.
    private func firstLine(_ input: inout ByteBuffer) -> ByteBuffer? {
        let (end, isASCII, headEnd) = input.withUnsafeReadableBytes { bytes in
            let end = bytes.firstIndex(of: Self.lf).map { $0 + 1 }
            let isASCII = bytes.prefix(end ?? bytes.count).allSatisfy { $0 < 0x80 }
            return (end, isASCII, end.flatMap { Self.endOfHead(bytes, firstLine: $0) })
        }
        if end != nil { place = .lines }
        if isASCII, foreign.isEmpty { return input.readSlice(length: headEnd ?? end ?? input.readableBytes) }
        guard let line = input.readSlice(length: end ?? input.readableBytes) else { return nil }
        let bytes = line.readableBytesView
        foreign += foreign.isEmpty ? bytes.drop { $0 < 0x80 } : bytes
        var escaped = ByteBuffer()
        for byte in bytes {
            if byte < 0x80 {
                escaped.writeInteger(byte)
            } else {
                escaped.writeString(byte.percentEscape)
            }
        }
        return escaped
    }

    /// Behind the empty line after the header fields.
    private static func endOfHead(_ bytes: UnsafeRawBufferPointer, firstLine end: Int) -> Int? {
        var lineStart = end
        while let next = bytes[lineStart...].firstIndex(of: lf) {
            if next == lineStart + 1, bytes[lineStart] == cr { return next + 1 }
            lineStart = next + 1
        }
        return nil
    }

    /// Behind the next line break. Its CR may have come before.
    private static func endOfLine(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var start = 0
        while let next = bytes[start...].firstIndex(of: lf) {
            if next == 0 || bytes[next - 1] == cr { return next + 1 }
            start = next + 1
        }
        return nil
    }
}
