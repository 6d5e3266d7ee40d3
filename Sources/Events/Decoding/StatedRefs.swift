import InboundLinks
import JSONReading
import Text

/// The field `ref` of an event: an array, or one string with commas. Blanks around a ref, empty refs and repeated refs
/// are dropped.
enum StatedRefs {
    /// The refs in order; nil if there are none, so that other sources of refs are used.
    static func read(_ node: JSONNode) throws(EventFault) -> [String]? {
        var refs: [String] = []
        switch node.kind {
        case .null:
            return nil
        case .string, .invalidString:
            try append(node, to: &refs)
        case .array:
            for element in node.elements { try append(element, to: &refs) }
        default:
            throw .wrongType(.ref, "a string or an array of strings", found: node.kind)
        }
        return refs.isEmpty ? nil : refs
    }

    private static func append(_ node: JSONNode, to refs: inout [String]) throws(EventFault) {
        switch node.kind {
        case .string: break
        case .invalidString: throw .invalidText(.ref)
        default: throw .wrongType(.ref, "a string or an array of strings", found: node.kind)
        }
        guard let text = node.string else { return }
        if text.containsNul { throw .invalidText(.ref) }
        // A comma separates refs in an array too: Facebook's own refs cannot contain one. A secret's value can, so
        // secrets are redacted before the split.
        for part in SecretFreeText.text(text).utf8.split(separator: UInt8(ascii: ",")) {
            let ref = SecretFreeText.text(String(Substring(part).trimmedOfBlanks))
            guard !ref.isEmpty, ref != RefList.sentinel, !refs.contains(ref) else { continue }
            if RowName.matches(ref) { throw .rowName(.ref, ref) }
            guard ref.utf8.count <= EventLimits.ref else {
                throw EventFault(.tooLarge, .ref, "ref contains a ref that is longer than \(EventLimits.ref) bytes")
            }
            guard refs.count < EventLimits.refCount else {
                throw EventFault(.tooLarge, .ref, "ref contains more than \(EventLimits.refCount) refs")
            }
            refs.append(ref)
        }
    }
}
