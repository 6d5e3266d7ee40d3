import InboundLinks
import JSONReading
import Redirects
import Text

/// Reads links from the values of a line or a row, whichever service has written them.
struct LinkReading: Sendable {
    let app: LinkApp
    let hosts: [String]
    /// Undoes what CSV does to texts that a spreadsheet would run.
    let readCell: @Sendable (String) -> String

    /// A line: a JSON object, or a long link of Firebase Dynamic Links.
    func read(line: [UInt8]) -> Result<ReadLinks, LinkFault> {
        result { () throws(LinkFault) in
            if line.first == UInt8(ascii: "{") { return try read(json: try Self.json(line)) }
            guard let text = String(validating: line, as: UTF8.self) else { throw .notUTF8 }
            guard text.lowercased().hasPrefix("http"), DynamicLink(text, hosts: hosts) != nil else {
                throw LinkFault(
                    .invalidJSON,
                    "line",
                    "the line is neither a JSON object nor a long link of Firebase Dynamic Links"
                )
            }
            return try ForeignLink(long: text).links(in: app, hosts: hosts)
        }
    }

    func read(element: JSONNode) -> Result<ReadLinks, LinkFault> {
        result { () throws(LinkFault) in try read(json: element) }
    }

    /// A row of CSV with this header.
    func read(row: [String], header: [String]) -> Result<ReadLinks, LinkFault> {
        result { () throws(LinkFault) in
            guard row.count == header.count else {
                throw LinkFault(
                    .invalidValue,
                    "line",
                    "the row has \(row.count) columns, but the header has \(header.count)"
                )
            }
            let cells = zip(header, row.map(readCell))
            if ForeignLink.isDescribed(by: header) {
                return try foreign(
                    cells.map { ($0.0, ForeignLink.isList($0.0) ? Self.list($0.1) : [$0.1]) }
                )
            }
            var members: [(String, InspectionValue)] = []
            for (name, text) in cells {
                if text.isEmpty { continue }
                let isOn = Self.switches.contains(name) ? SwitchWord.meanings[text] : nil
                members.append((name, isOn.map { .bool($0) } ?? .string(text)))
            }
            return try read(json: try Self.json(Array(InspectionValue.object(members).utf8)))
        }
    }

    /// Whether a header has columns that links can be read from.
    static func isHeader(_ names: [String]) -> Bool {
        ForeignLink.isDescribed(by: names) || names.contains { ["slug", "target_url", "app_url"].contains($0) }
    }

    private static let switches: Set = ["forward_query", "append_click_id", "disabled"]
    /// A member that `tributary link show` prints in addition to the fields.
    private static let derived: Set = ["short_url"]

    private func read(json: JSONNode) throws(LinkFault) -> ReadLinks {
        guard json.kind == .object else { throw LinkFault(.invalidType, "line", "a link must be a JSON object") }
        let names = json.members.map(\.key)
        if ForeignLink.isDescribed(by: names) {
            guard ForeignLink.hasPlace(names) || ForeignLink.unread(names).isEmpty else {
                throw LinkFault(
                    .invalidSlug,
                    "slug",
                    "no member of the link that an import knows has its slug; name that member 'slug'"
                )
            }
            let places = json["deeplinks"]?.elements.compactMap { $0["app_uri_path"]?.string } ?? []
            return try foreign(
                json.members.map { ($0.key, Self.texts($0.value)) },
                appURL: places.first { $0.contains("://") }
            )
        }
        var link = Link(host: "", slug: "")
        var seen: Set<String> = []
        for (name, value) in json.members where !Self.derived.contains(name) {
            guard seen.insert(name).inserted else {
                throw LinkFault(.duplicateField, name, "\(name) is there twice")
            }
            guard try link.set(name, to: value) else {
                let hint = closestName(to: name, among: LinkField.names).map { "; did you mean '\($0)'?" } ?? ""
                throw LinkFault(.unknownField, name, "a link has no field of this name" + hint)
            }
        }
        return ReadLinks(links: [link])
    }

    private func foreign(
        _ values: [(name: String, texts: [String])],
        appURL: String? = nil
    ) throws(LinkFault) -> ReadLinks {
        guard var link = ForeignLink(values) else {
            throw LinkFault(.missingTarget, "target_url", "the link has no target")
        }
        link.appURL = appURL
        return try link.links(in: app, hosts: hosts)
    }

    private func result(_ body: () throws(LinkFault) -> ReadLinks) -> Result<ReadLinks, LinkFault> {
        do throws(LinkFault) { return .success(try body()) } catch { return .failure(error) }
    }

    private static func json(_ bytes: [UInt8]) throws(LinkFault) -> JSONNode {
        do throws(JSONError) {
            return try JSONDocument(reading: bytes).root
        } catch {
            throw LinkFault(.invalidJSON, "line", "the line is not JSON")
        }
    }

    private static func texts(_ node: JSONNode) -> [String] {
        node.kind == .array ? node.elements.compactMap(\.string) : node.string.map { [$0] } ?? []
    }

    private static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == "|" }.map { String($0.trimmed { $0 == " " }) }
    }
}

extension LinkFault {
    static let notUTF8 = LinkFault(.invalidText, "line", "the text is not UTF-8; save the file as UTF-8")
}
