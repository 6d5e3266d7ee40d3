import JSONReading
import Redirects

/// A field of a link that was refused.
package struct LinkRejection: Equatable, Sendable {
    /// The place of the link in the request.
    var index: Int
    var fault: LinkFault
}

extension JSONWriter {
    /// `rejected`, as events have it.
    mutating func member(_ name: String, _ rejections: [LinkRejection]) {
        member(name, rejections) { object, rejection in
            object.member("index", rejection.index)
            object.member("code", rejection.fault.code.rawValue)
            object.member("field", rejection.fault.field)
            object.member("message", rejection.fault.message)
        }
    }
}

extension Problem {
    /// - Parameter faults: of one link.
    init(_ faults: [LinkFault]) {
        let first = faults.first
        let isTaken = faults.count == 1 && first?.code == .slugTaken
        self.init(
            isTaken ? .slugTaken : .invalidLink,
            first?.message ?? "The link cannot be stored.",
            field: first?.field
        )
        linkRejections = faults.map { LinkRejection(index: 0, fault: $0) }
    }
}
