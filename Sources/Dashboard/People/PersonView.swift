import Markup
import Reporting
import Storage
import Time

/// The timeline of one person, for the template `person`.
struct PersonView {
    struct Line {
        var label: String
        var value: String
    }

    struct Entry {
        /// The fragment of its URL.
        var anchor: String
        var time: String
        var what: String
        /// As HTML.
        var words: String
        /// What it is credited to; nil for what gets no credit.
        var credit: String?
        /// Where that touch stands on the page; nil for `direct`.
        var touch: String?
    }

    static let path = "/person"

    var title: String
    /// The person's ids.
    var lines: [Line]
    /// The chain of invitations above the person, as HTML; nil if nobody is known to have invited the person.
    var inviters: String?
    /// The page of the people whose installs came from the person's posts; nil without posts.
    var invited: String?
    /// The page that counts these people, whom those invited, and so on.
    var tree: String?
    var entries: [Entry]
    var isEmpty: Bool
    /// How many are shown; nil if all are.
    var rest: String?
    var command: String

    /// The fields of the URL of which one names the person.
    static var fields: [String] { PersonKey.Kind.allCases.map(field) }

    private static func field(_ kind: PersonKey.Kind) -> String { "\(kind.rawValue)_id" }

    /// - Throws: `DashboardFailure.invalid` unless exactly one id is given.
    static func key(_ fields: FormFields) throws(DashboardFailure) -> PersonKey {
        let keys = PersonKey.Kind.allCases.compactMap { kind in fields[field(kind)].map { PersonKey(kind, $0) } }
        guard keys.count == 1 else {
            throw .invalid("Name the person by one of \(Self.fields.joined(separator: ", ")).")
        }
        return keys[0]
    }

    init(_ history: PersonHistory, asked: PersonKey, of app: App) {
        let time = LocalTime(timeZone: app.profile.timeZone)
        let root = history.person.root
        title = "\(root.kind.rawValue) \(root.id)"
        lines = PersonKey.Kind.allCases.compactMap { kind in
            let ids = history.person.ids(kind)
            return ids.isEmpty ? nil : Line(label: kind.rawValue, value: ids.joined(separator: ", "))
        }
        inviters =
            history.inviters.isEmpty
            ? nil : history.inviters.map { Self.html($0.key.id, $0.key) }.joined(separator: ", by ")
        invited = history.entries.contains { $0.kind == .post } ? Self.invited(by: root) : nil
        tree = invited == nil ? nil : Self.tree(below: root)
        // The newest first, as in other lists of the dashboard.
        let shown = Set(history.entries.filter { $0.kind == .touch }.map(\.id))
        entries = history.entries.reversed().map { entry in
            Entry(
                anchor: Self.anchor(entry.id, isTouch: entry.kind == .touch),
                time: time.text(entry.time),
                what: entry.kind.rawValue,
                words: entry.words { Self.html($1, $0 == "poster" ? entry.poster : nil) }.joined(separator: " · "),
                credit: entry.credit.map { credit in
                    ([credit.words] + (credit.time.map { [time.text($0)] } ?? [])).joined(separator: ", ")
                },
                touch: entry.credit?.touch.flatMap { touch in
                    shown.contains(touch) ? "#" + Self.anchor(touch, isTouch: true) : nil
                }
            )
        }
        isEmpty = entries.isEmpty
        rest = history.isCut ? "The newest \(entries.count); tributary person export writes all" : nil
        command = "tributary person show --app \(app.profile.id) --\(asked.kind.rawValue) \(asked.id)"
    }

    /// Words about a person lead to that person's timeline, so that a chain of invitations can be walked.
    static func html(_ words: String, _ person: PersonKey?) -> String {
        let text = HTMLText.escaped(words)
        return person.map { "<a href=\"\(HTMLText.escaped(PersonLink($0).href))\">\(text)</a>" } ?? text
    }

    /// Those of all time, as the report `viral` lists them.
    static func invited(by person: PersonKey) -> String {
        PeopleView.path + "?"
            + FormFields.encode([
                ("report", "viral"), ("people", "installs"), ("by", "none"), ("group", "total"),
                ("where", Filters.condition("poster", [person.id])), ("from", "2000-01-01"),
            ])
    }

    /// Of all time, by why installs look made up.
    static func tree(below person: PersonKey) -> String {
        "/generations?" + FormFields.encode([("below", person.id), ("by", "doubt"), ("from", "2000-01-01")])
    }

    /// An install and the touch that came with it are one event.
    private static func anchor(_ event: String, isTouch: Bool) -> String { (isTouch ? "touch-" : "event-") + event }
}

extension LocalTime {
    /// A time as reports write it; empty for another text.
    func text(_ rfc3339: String) -> String { Timestamp(rfc3339: rfc3339).map(text) ?? "" }
}
