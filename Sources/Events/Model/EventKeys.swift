import InboundLinks
import JSONReading

/// The ids that tell which person an event belongs to. For a rejected event, they are found in its text.
package struct EventKeys: Hashable, Sendable {
    package var userID: String?
    package var deviceID: String?
    package var clickID: String?

    package init(userID: String? = nil, deviceID: String? = nil, clickID: String? = nil) {
        self.userID = userID
        self.deviceID = deviceID
        self.clickID = clickID
    }

    package init(_ event: Event) {
        self.init(userID: event.userID, deviceID: event.deviceID, clickID: event.clickID)
    }

    package var isEmpty: Bool { userID == nil && deviceID == nil && clickID == nil }

    /// The ids in the text of a dead letter (``Rejection/redactedEvent``): one value per event.
    ///
    /// There are also several values if the text is not JSON and contains several ids of one kind. An id that belongs
    /// to nobody counts as absent. `properties` is free data and is not searched.
    package static func all(inRejected text: String) -> [EventKeys] {
        var found: [EventKeys] = []
        if let document = try? JSONDocument(reading: text.utf8) {
            collect(document.root, into: &found)
        } else {
            scan(Array(text.utf8), into: &found)
        }
        return found
    }

    private static let names = (EventField.userID.key, EventField.deviceID.key, EventField.clickID.key)

    private static func collect(_ node: JSONNode, into found: inout [EventKeys]) {
        switch node.kind {
        case .object:
            let referrer = node[EventField.installReferrer.key]?.string
            let isClick = node[EventField.type.key]?.string == EventType.linkClick.rawValue
            let url = isClick ? nil : node[EventField.url.key]?.string
            let keys = EventKeys(
                userID: id(node[names.0]),
                deviceID: id(node[names.1]),
                clickID: id(node[names.2]) ?? referrer.flatMap(InstallReferrer.clickID)
                    ?? url.flatMap(LinkReader.clickID)
            )
            guard keys.isEmpty else {
                found.append(keys)
                return
            }
            for (key, value) in node.members where key != EventField.properties.key { collect(value, into: &found) }
        case .array:
            for element in node.elements { collect(element, into: &found) }
        default: break
        }
    }

    /// A number has the wrong type, but it counts as an id here.
    private static func id(_ node: JSONNode?) -> String? {
        usable(node?.string ?? node?.number)
    }

    private static func usable(_ id: String?) -> String? {
        guard let id, !id.isEmpty, !JunkID.matches(id) else { return nil }
        return id
    }

    // MARK: - Texts that are not JSON

    /// Finds names with something after them that may be their value, as in JSON that was cut off, or in a form.
    private static func scan(_ text: [UInt8], into found: inout [EventKeys]) {
        let users = values(of: names.0, in: text)
        let devices = values(of: names.1, in: text)
        let clicks = values(of: names.2, in: text)
        if users.count <= 1, devices.count <= 1, clicks.count <= 1 {
            let keys = EventKeys(userID: users.first, deviceID: devices.first, clickID: clicks.first)
            if !keys.isEmpty { found.append(keys) }
        } else {
            // Unknown which of the ids belong together.
            found += users.map { EventKeys(userID: $0) } + devices.map { EventKeys(deviceID: $0) }
            found += clicks.map { EventKeys(clickID: $0) }
        }
    }

    private static func values(of name: String, in text: [UInt8]) -> [String] {
        let name = Array(name.utf8)
        var values: [String] = []
        var position = 0
        while position + name.count < text.count {
            guard text[position..<position + name.count].elementsEqual(name) else {
                position += 1
                continue
            }
            position += name.count
            if let value = usable(value(at: &position, in: text)), !values.contains(value) { values.append(value) }
        }
        return values
    }

    /// The value after `":"`, `=` and the like. A quoted value ends at the next quotation mark, others at one of
    /// `ends`.
    private static func value(at position: inout Int, in text: [UInt8]) -> String? {
        var isAssigned = false
        var isQuoted = false
        while position < text.count, !isQuoted {
            switch text[position] {
            case UInt8(ascii: ":"), UInt8(ascii: "="): isAssigned = true
            case UInt8(ascii: "\""), UInt8(ascii: "'"): isQuoted = isAssigned
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\\"):
                break
            default:
                guard isAssigned else { return nil }
                let end = text[position...].firstIndex { ends.contains($0) } ?? text.count
                defer { position = end }
                return String(decoding: text[position..<end], as: UTF8.self)
            }
            position += 1
        }
        let end = text[position...].firstIndex {
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\")
        }
        defer { position = end ?? text.count }
        return String(decoding: text[position..<(end ?? text.count)], as: UTF8.self)
    }

    private static let ends = Set("&,;}] \t\r\n\"'".utf8)
}
