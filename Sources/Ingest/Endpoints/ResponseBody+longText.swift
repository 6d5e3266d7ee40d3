package import HummingbirdCore
import NIOCore

extension ResponseBody {
    /// Sends a text as it is read.
    package init(_ text: LongText) {
        self.init(contentLength: text.size) { writer in
            try await text.forEachPiece { try await writer.write(ByteBuffer(bytes: $0)) }
            try await writer.finish(nil)
        }
    }
}
