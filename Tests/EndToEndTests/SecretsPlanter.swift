import EventTesting
import Events

/// Makes secrets, each another one, and remembers where each was planted.
///
/// Every piece of every secret holds ``mark``, so that a search for that alone finds them all, and pieces of them too.
///
/// Every run tries every name in every form, every wrapping and every way in, and most pairs of them. The seed chooses
/// which. A complete run (`TRIBUTARY_TEST_SAMPLES`) tries every form at every way in, and in every wrapping in every
/// field of a link.
struct SecretsPlanter {
    static let mark = "Zq7KxVb3Mw"

    private(set) var places: [String] = []
    private let isComplete: Bool
    /// The position of the next spelling.
    private var turn: Int
    /// The position of the next share.
    private var shares: Int

    init(seed: UInt64, isComplete: Bool) {
        self.isComplete = isComplete
        turn = Int(seed % 1_009)
        shares = Int(seed % 7)
    }

    /// Every fifth name in a form, beginning with another one each time, and all that has no name. The number is prime
    /// to that of the forms: each share holds every name, and every form of some name.
    mutating func share(of parts: Int = 5) -> [SecretsSpelling.Core] {
        guard !isComplete else { return SecretsSpelling.cores }
        shares += 1
        let named = SecretsSpelling.namedCores.enumerated().filter { ($0.offset + shares) % parts == 0 }
        return named.map(\.element) + SecretsSpelling.otherCores
    }

    /// Two wrappings, others for each core and each field: a core comes into each in some field, a field in some core.
    private func wrappings(ofCore core: Int, inField field: Int) -> [SecretsSpelling.Wrapping] {
        let all = SecretsSpelling.wrappings
        return isComplete ? all : (0..<2).map { all[(core + 2 * field + $0 + turn) % all.count] }
    }

    /// Forms of tokens: `|` separates the halves of an app's token, and `.` those of a signed request.
    mutating func secret(_ place: String) -> String {
        let (mark, number) = (Self.mark, places.count)
        places.append(place)
        return switch number % 7 {
        case 0: "\(mark)q\(number)q\(mark)"
        case 1: "\(mark)|q\(number)q\(mark)"
        case 2: "\(mark).\(mark)q\(number)q"
        case 3: "\(mark)-\(mark)_q\(number)q\(mark)"
        case 4: "\(mark)/q\(number)q\(mark)=="
        case 5: "\(mark)%2B\(mark)%26q\(number)q\(mark)"
        default: "\(mark):q\(number)q;\(mark)~\(mark)"
        }
    }

    mutating func text(_ core: SecretsSpelling.Core, _ wrapping: SecretsSpelling.Wrapping, in place: String) -> String {
        wrapping.text(core.text(secret("\(place): \(core.name) \(wrapping.name)")))
    }

    /// The core in the next wrapping, so that each core is put into every wrapping in turn.
    mutating func text(_ core: SecretsSpelling.Core, in place: String) -> String {
        turn += 1
        return text(core, SecretsSpelling.wrappings[turn % SecretsSpelling.wrappings.count], in: place)
    }

    private typealias Plant = (type: String, field: String, rest: [String])

    /// Every field of every type, with the other fields that a valid event of the type needs.
    private static let fields: [Plant] =
        FieldUse.all.filter { !isText($0) && $0.field != .sentAt && $0.field != .properties }.map(plant)
        + EventType.allCases.map { type in
            let use = FieldUse(type: type, field: .eventID)
            return (type.rawValue, "unheard_of", plant(use).rest)
        }

    /// The fields of links, callbacks and free texts: every core is put into every wrapping here.
    private static let texts: [Plant] =
        FieldUse.all.filter(isText).map(plant) + [("feed_post", "callback_url", [#""dialog":"share""#])]

    /// A text that no rule reads, or that may be a URL.
    private static func isText(_ use: FieldUse) -> Bool {
        guard case .text(let limit) = use.meaning.kind else { return false }
        return limit > EventLimits.name
    }

    private static func plant(_ use: FieldUse) -> Plant {
        let rest = use.members().filter { $0.key != use.field.key && $0.key != EventField.type.key }
        return (use.type.rawValue, use.field.key, rest.map { #""\#($0.key)":\#($0.json)"# })
    }

    /// Rows of CSV with a secret in every column, some of them broken.
    mutating func rows(at time: String) -> String {
        var lines = ["type,user_id,url,error_message,outcome,properties,at"]
        for core in share() {
            for (column, type) in ["inbound_link", "", "inbound_link", "authentication", "", ""].enumerated() {
                var cells = [type, "u", "", "", column == 3 ? "failed" : "", ""]
                cells[column] = text(core, in: "CSV column \(column)")
                if column == 0 { cells[2] = "https://shop.example/" }
                cells.append(time)
                lines.append(cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ","))
            }
            lines.append("inbound_link,u,\"\(text(core, in: "broken CSV"))\"x")
        }
        return lines.joined(separator: "\n")
    }

    /// Valid and invalid events, with a secret in every field.
    mutating func events() -> [String] {
        var events: [String] = []
        for (type, field, rest) in Self.fields {
            for core in share() {
                let text = SecretsSpelling.quoted(text(core, in: "\(type).\(field)"))
                let type = field == "type" ? [] : [#""type":"\#(type)""#]
                events.append("{\((type + rest + ["\"\(field)\":\(text)"]).joined(separator: ","))}")
            }
        }
        for (number, (type, field, rest)) in Self.texts.enumerated() {
            for (position, core) in SecretsSpelling.cores.enumerated() {
                for wrapping in wrappings(ofCore: position, inField: number) {
                    let text = SecretsSpelling.quoted(text(core, wrapping, in: "\(type).\(field)"))
                    events.append(
                        "{\(([#""type":"\#(type)""#] + rest + ["\"\(field)\":\(text)"]).joined(separator: ","))}"
                    )
                }
            }
        }
        for core in SecretsSpelling.cores {
            let text = { (planter: inout Self, place: String) -> String in
                SecretsSpelling.quoted(planter.text(core, in: place))
            }
            for properties in [
                #"{"a":{"b":[1,\#(text(&self, "properties"))]}}"#, #"{\#(text(&self, "a property's name")):1}"#,
            ] {
                events.append(#"{"type":"authentication","user_id":"u","properties":\#(properties)}"#)
            }
            events.append(#"{"type":"authentication","user_id":"u",\#(text(&self, "a field's name")):1}"#)
            // A value of the wrong kind, and a value outside an object.
            events.append(#"{"type":"inbound_link","user_id":"u","url":[\#(text(&self, "url in a list"))]}"#)
            events.append(text(&self, "no object"))
        }
        for name in SecretsSpelling.names {
            let secret = secret("\(name) as a field, as a property")
            events.append(#"{"type":"authentication","user_id":"u","\#(name)":"\#(secret)"}"#)
            events.append(#"{"type":"authentication","user_id":"u","properties":{"\#(name)":"\#(secret)","b":1}}"#)
            events.append(
                #"{"type":"authentication","user_id":"u","properties":{"a":[{"\#(name)":{"x":"\#(secret)"}}]}}"#
            )
        }
        return events
    }
}
