import CSimdjson

/// A JSON text (RFC 8259) that has been read whole, whose root is an object or an array.
///
/// Nothing is copied into Swift values until a ``JSONNode`` is asked for them.
package final class JSONDocument: @unchecked Sendable {
    /// Guard of `@unchecked Sendable`: the tape is written by the initialiser only.
    private let tape: OpaquePointer
    private let nodes: UnsafePointer<tape_node>

    /// Reads a text.
    ///
    /// - Parameters:
    ///   - bytes: UTF-8; copied. An array, a string's `utf8`, a byte buffer's readable view.
    ///   - maximumDepth: containers inside containers, the root being 0.
    ///   - maximumNodes: values of all kinds; bounds the memory, about 56 bytes a value.
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
