import Events
import Timelines

extension ExportRowWriter {
    /// `person_kind` and `person_id`.
    mutating func person(_ person: borrowing PersonTimeline) {
        switch person.key.first {
        case UInt8(ascii: "u"): text("user")
        case UInt8(ascii: "d"): text("device")
        case UInt8(ascii: "c"): text("click")
        default:
            text("event")
            return uuid(person.events.first?.id)
        }
        person.key.withUnsafeBytes { text(UnsafeRawBufferPointer(rebasing: $0.dropFirst())) }
    }

    /// The refs of a list of the dictionary.
    mutating func refs(_ list: Code, of dictionary: TimelineDictionary) {
        self.list(dictionary.refs(of: list)) { ref, body in
            dictionary.refs.bytes(of: ref).withUnsafeBytes(body)
        }
    }

    /// A text from a table of the dictionary, null for the code `none`.
    mutating func code(_ code: Code, of table: CodeTable) {
        if code.isNone { return null() }
        table.bytes(of: code).withUnsafeBytes { text($0) }
    }

    /// The event of a post that a scan found, null for the code `none`.
    mutating func post(_ code: Code, of dictionary: TimelineDictionary) {
        uuid(code.isNone ? nil : dictionary.storyPosts.event(of: code))
    }

    /// Writes `deleted` and ends the row.
    mutating func endPersonRow(isDeleted: Bool = false) {
        deleted(isDeleted)
        endRow()
    }

    /// Writes `deleted`, and nulls for the columns before it that have no cell yet.
    mutating func deleted(_ isDeleted: Bool) {
        nulls(upTo: ReportColumn.deleted.name)
        flag(isDeleted)
    }
}
