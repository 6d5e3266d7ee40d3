import CSimdjson

/// One value of a ``JSONDocument``. It is a cursor that keeps the document alive.
package struct JSONNode: Sendable {
    /// The kind of a value. Raw values are the `tape_kind_…` of CSimdjson.h.
    package enum Kind: UInt32, Sendable {
        case null, `false`, `true`, number, string
        /// A string that is not valid text: it has a lone surrogate or a bad escape.
        case invalidString
        case array, object
    }

    let document: JSONDocument
    let index: Int

    package var kind: Kind {
        Kind(rawValue: document.node(index).kind) ?? .null
    }

    /// The text of a string, else nil.
    package var string: String? {
        kind == .string ? text : nil
    }

    /// The spelling of a number as the sender wrote it (`1e3` stays `1e3`), else nil.
    package var number: String? {
        kind == .number ? text : nil
    }

    /// A truth value, else nil.
    package var bool: Bool? {
        switch kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// How many members or elements a container has; 0 for any other value.
    package var count: Int {
        Int(document.node(index).count)
    }

    /// The value's bytes in the input, without blanks around it.
    package var sourceRange: Range<Int> {
        let node = document.node(index)
        return Int(node.begin)..<Int(node.end)
    }

    /// The elements of an array, or the values of an object, in order; none for any other value.
    package var elements: Elements {
        Elements(document: document, index: index + 1, remaining: count)
    }

    /// The members of an object in the order of the text, repeated keys included; none for any other value.
    package var members: Members {
        Members(elements: Elements(document: document, index: index + 1, remaining: kind == .object ? count : 0))
    }

    /// Calls `body` with each of the ``members``, without making a string of each key.
    ///
    /// - Parameter body: must not use the key's bytes after it has returned.
    package func forEachMember<Failure: Error>(
        _ body: (_ key: UnsafeBufferPointer<UInt8>, _ value: JSONNode) throws(Failure) -> Void
    ) throws(Failure) {
        guard kind == .object else { return }
        for value in elements {
            let node = document.node(value.index)
            let key = UnsafeRawPointer(node.key)?.assumingMemoryBound(to: UInt8.self)
            try body(UnsafeBufferPointer(start: key, count: key == nil ? 0 : Int(node.key_length)), value)
        }
    }

    /// The member with this key, or nil. If the key is repeated, the last member.
    package subscript(key: String) -> JSONNode? {
        guard kind == .object else { return nil }
        // Compares bytes: a string of every skipped key would cost more than reading the whole text.
        var key = key
        return key.withUTF8 { wanted in
            var found: JSONNode?
            var member = index + 1
            for _ in 0..<count {
                let node = document.node(member)
                if node.hasKey(wanted) { found = JSONNode(document: document, index: member) }
                member = Int(node.next)
            }
            return found
        }
    }

    private var text: String {
        let node = document.node(index)
        return String(bytes: node.text, count: node.text_length)
    }

    /// An array's elements in their order.
    package struct Elements: Sequence, IteratorProtocol {
        let document: JSONDocument
        var index: Int
        var remaining: Int

        package mutating func next() -> JSONNode? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            defer { index = Int(document.node(index).next) }
            return JSONNode(document: document, index: index)
        }
    }

    /// An object's members in their order. A key may be repeated.
    package struct Members: Sequence, IteratorProtocol {
        var elements: Elements

        package mutating func next() -> (key: String, value: JSONNode)? {
            guard let value = elements.next() else { return nil }
            let node = value.document.node(value.index)
            return (String(bytes: node.key, count: node.key_length), value)
        }
    }
}

extension tape_node {
    fileprivate func hasKey(_ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let key, Int(key_length) == wanted.count else { return false }
        for offset in wanted.indices where UInt8(bitPattern: key[offset]) != wanted[offset] {
            return false
        }
        return true
    }
}

extension String {
    /// A text that the parser has already checked to be UTF-8.
    fileprivate init(bytes: UnsafePointer<CChar>?, count: UInt32) {
        guard let bytes, count > 0 else {
            self = ""
            return
        }
        let buffer = UnsafeRawBufferPointer(start: bytes, count: Int(count))
        self = String(decoding: buffer, as: UTF8.self)
    }
}
