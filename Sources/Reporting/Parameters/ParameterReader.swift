import InboundLinks
import Storage
import Text

/// Reads a report's parameters one by one. It keeps those in effect, which the report then shows.
struct ParameterReader {
    private var given: [String: String]
    /// The values of parameters that may be given several times, in order.
    private var repeated: [String: [String]] = [:]
    /// The names and values in effect, defaults included, in the order of reading.
    private(set) var effective: [(name: String, value: String)] = []
    /// The declared properties of the app.
    let properties: [EventGrouping]

    /// Secrets are redacted here, as in events: so no report shows one, and a redacted value is found by it.
    ///
    /// - Throws: `ReportError.usage` for a name that is not in `allowed`, or is given twice.
    init(
        _ parameters: [(name: String, value: String)],
        report: String,
        allowed declared: [ReportParameter],
        properties: [AppProperty] = []
    ) throws(ReportError) {
        self.properties = properties.enumerated().map { .property(PropertyKey($1, at: $0)) }
        given = [:]
        for (name, value) in parameters {
            guard let parameter = declared.first(where: { $0.name == name }) else {
                let allowed = declared.map(\.name)
                let hint: UsageMessage =
                    closestName(to: name, among: allowed).map { "; did you mean '\(parameter: $0)'?" } ?? ""
                throw .usage(
                    message: "unknown parameter of \(report) '\(parameter: name)'\(hint)",
                    field: name,
                    allowed: allowed
                )
            }
            let value = parameter.isFile ? value : Redaction.redact(value)
            if !self.properties.contains(where: { $0.rawValue == EventGrouping.doubt.rawValue }) {
                try parameter.refuseDoubt(in: value, of: report)
            }
            if parameter.repetition == .all {
                repeated[name, default: []].append(value)
                continue
            }
            guard given.updateValue(value, forKey: name) == nil else { throw .invalid(name, "is given twice") }
        }
    }

    /// The keys that some events can have, declared properties included.
    func groupings(where isAllowed: (EventGrouping) -> Bool) -> [EventGrouping] {
        (EventGrouping.allCases + properties).filter(isAllowed)
    }

    /// The keys of `--where` that events of one kind can have.
    func filterKeys(of event: FunnelEvent) -> [EventGrouping] {
        groupings { $0 != .none && $0.period == nil && $0.isAllowed(for: event) }
    }

    /// The keys of conditions on a step of a funnel.
    func stepKeys(of event: FunnelEvent) -> [EventGrouping] {
        filterKeys(of: event) + (EventGrouping.outcome(of: event).map { [$0] } ?? [])
    }

    /// A text, nil if it is not given.
    ///
    /// - Throws: `ReportError.usage` if it is empty.
    mutating func text(_ name: String) throws(ReportError) -> String? {
        guard let value = given[name] else { return nil }
        guard !value.isEmpty else { throw .invalid(name, "must not be empty") }
        effective.append((name, value))
        return value
    }

    /// A text that another reader notes, empty or not; nil if it is not given.
    func peek(_ name: String) -> String? { given[name] }

    /// All values of a parameter that may be given several times. The caller notes those in effect (``note(_:_:)``).
    func texts(_ name: String) -> [String] { repeated[name] ?? [] }

    /// Adds a value in effect.
    mutating func note(_ name: String, _ value: String) {
        effective.append((name, value))
    }

    mutating func duration(_ name: String, default defaultValue: ReportDuration) throws(ReportError) -> ReportDuration {
        let duration = try given[name].map { value throws(ReportError) in
            try ReportDuration(parsing: value, field: name)
        }
        effective.append((name, (duration ?? defaultValue).text))
        return duration ?? defaultValue
    }

    mutating func count(
        _ name: String,
        default defaultValue: Int,
        allowed: ClosedRange<Int>
    ) throws(ReportError) -> Int {
        var count = defaultValue
        if let value = given[name] {
            guard let number = Int(value), allowed.contains(number) else {
                throw .invalid(name, "must be a number from \(allowed.lowerBound) to \(allowed.upperBound)")
            }
            count = number
        }
        effective.append((name, String(count)))
        return count
    }

    /// `1%`; nil if the parameter is not given, or is no share.
    mutating func percent(_ name: String) throws(ReportError) -> Int? {
        guard let value = given[name], value.hasSuffix("%") else { return nil }
        guard let percent = Int(value.dropLast()), (1...100).contains(percent), value == "\(percent)%" else {
            throw .invalid(name, "'\(value)' must be a whole number from 1% to 100%")
        }
        effective.append((name, "\(percent)%"))
        return percent
    }

    /// How many groups a report shows. In effect only if it is given: a report without so many groups needs no word.
    mutating func groupLimit() throws(ReportError) -> Int {
        guard isGiven("limit") else { return GroupFinder.defaultLimit }
        return try count("limit", default: GroupFinder.defaultLimit, allowed: GroupFinder.limits)
    }

    /// The same for a report that shows all groups if it is not given.
    mutating func optionalGroupLimit() throws(ReportError) -> Int? { isGiven("limit") ? try groupLimit() : nil }

    /// One of the raw values of an enum, or of those in `among`.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String,
        default defaultValue: Choice,
        among choices: [Choice] = Array(Choice.allCases)
    ) throws(ReportError) -> Choice {
        var choice = defaultValue
        if let value = given[name] {
            guard let known = choices.first(where: { $0.rawValue == value }) else {
                throw .unknown("value", value, field: name, allowed: choices.map(\.rawValue))
            }
            choice = known
        }
        effective.append((name, choice.rawValue))
        return choice
    }

    /// A value with a rule of its own, such as `conversion:NAME`.
    ///
    /// - Parameters:
    ///   - names: the values that an error lists.
    ///   - read: returns nil for an unknown value.
    mutating func value<Value: CustomStringConvertible>(
        _ name: String,
        default defaultValue: Value,
        among names: [String],
        reading read: (String) -> Value?
    ) throws(ReportError) -> Value {
        var value = defaultValue
        if let text = given[name] {
            guard let known = read(text) else {
                throw .unknown("value", text, field: name, allowed: names)
            }
            value = known
        }
        effective.append((name, value.description))
        return value
    }

    /// The elements of a list separated by commas, without surrounding spaces; the default if it is not given.
    mutating func list(_ name: String, default defaultValue: [String]) -> [String] {
        let elements = given[name].map { value in
            value.split(separator: ",", omittingEmptySubsequences: false).map { element in
                String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        effective.append((name, (elements ?? defaultValue).joined(separator: ",")))
        return elements ?? defaultValue
    }

    /// The same for elements that may hold conditions in brackets, whose commas separate nothing.
    mutating func bracketedList(_ name: String, default defaultValue: [String]) -> [String] {
        let elements = given[name].map { value in
            BracketedText.split(value, at: ",").map { element in
                String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        }
        effective.append((name, (elements ?? defaultValue).joined(separator: ",")))
        return elements ?? defaultValue
    }

    /// A switch. It is in effect only if it is on or was given.
    mutating func isOn(_ name: String, default defaultValue: Bool) throws(ReportError) -> Bool {
        let isOn = try flag(name, default: defaultValue)
        if isOn || isGiven(name) { effective.append((name, isOn ? "on" : "off")) }
        return isOn
    }

    /// - Throws: `ReportError.usage` for a value other than `on` and `off`, and `true` and `false`, which mean the
    ///   same.
    func flag(_ name: String, default defaultValue: Bool = false) throws(ReportError) -> Bool {
        guard let value = given[name] else { return defaultValue }
        guard let isOn = SwitchWord.meanings[value] else {
            throw .unknown("value", value, field: name, allowed: ["on", "off"])
        }
        return isOn
    }

    /// A flag that belongs to the definition of the report.
    mutating func option(_ name: String) throws(ReportError) -> Bool {
        let option = try flag(name)
        if option { effective.append((name, "true")) }
        return option
    }

    func isGiven(_ name: String) -> Bool { given[name] != nil }
}
