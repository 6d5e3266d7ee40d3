import CSimdjson

/// A parsed JSON text (RFC 8259). Its root is an object or an array.
///
/// A value is copied into a Swift value only when a ``JSONNode`` is asked for it.
package final class JSONDocument: @unchecked Sendable {
    /// Guard of `@unchecked Sendable`: only the initialiser writes to the tape.
    private let tape: OpaquePointer
    private let nodes: UnsafePointer<tape_node>

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; copied. For example an array, a string's `utf8`, or a byte buffer's readable view.
    ///   - maximumDepth: levels of nesting; the root is level 0.
    ///   - maximumNodes: values of all kinds. Each takes about 56 bytes of memory.
    /// - Throws: `JSONError`.
    package init(
        reading bytes: some Sequence<UInt8>,
        maximumDepth: Int = 32,
        maximumNodes: Int = 1_000_000
    ) throws(JSONError) {
        guard let tape = tape_make() else { throw .tooLarge }
        let depth = UInt32(maximumDepth)
        let limit = UInt32(maximumNodes)
        var code = bytes.withContiguousStorageIfAvailable {
            tape_read(tape, $0.baseAddress, $0.count, depth, limit)
        }
        if code == nil {
            code = Array(bytes).withUnsafeBufferPointer { tape_read(tape, $0.baseAddress, $0.count, depth, limit) }
        }
        guard code == 0, let nodes = tape_nodes(tape) else {
            tape_free(tape)
            throw JSONError(code: code ?? 0)
        }
        self.tape = tape
        self.nodes = nodes
    }

    deinit {
        tape_free(tape)
    }

    package var root: JSONNode {
        JSONNode(document: self, index: 0)
    }

    func node(_ index: Int) -> tape_node {
        nodes[index]
    }
}
