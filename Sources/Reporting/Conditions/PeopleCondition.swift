/// What people must have done, or must not (`--with`, `--without`): an event of some kind, so and so often, before the
/// end of a range: `touch[channel=search]>=2@30d`.
struct PeopleCondition: Hashable, Sendable {
    /// Longer texts are refused.
    private static let bytes = 2_000
    private static let counts = 1...1_000_000
    private static let lastDays = 1...3_650

    let step: FunnelStep
    /// How many such events there must be at least.
    let count: Int
    /// Only events of so many days before the end count; nil for all before the end.
    let days: Int?
    /// `--without`.
    let isExclusion: Bool

    var parameter: ReportParameter { isExclusion ? .without : .with }

    /// Reads a step of a funnel, then `>=N`, then `@Nd`, each of them optional. What a goal's own name ends with is
    /// read as a part of the name if `>=1` follows it.
    ///
    /// - Parameter reader: knows the declared properties.
    /// - Throws: `ReportError.usage`.
    init(parsing text: String, isExclusion: Bool, reader: ParameterReader) throws(ReportError) {
        let field = (isExclusion ? ReportParameter.without : .with).name
        guard text.utf8.count <= Self.bytes else {
            throw .invalid(field, "has \(text.utf8.count) bytes; an event has at most \(Self.bytes)")
        }
        var step = text[...]
        let days = Self.number(after: "@", unit: "d", endOf: &step)
        let count = Self.number(after: ">=", endOf: &step)
        self.isExclusion = isExclusion
        guard let least = Self.read(count ?? "1", Self.counts) else {
            throw .invalid(field, "'\(text)': >=N takes a number from 1 to \(Self.counts.upperBound), as touch>=2")
        }
        self.count = least
        self.days = days.flatMap { Self.read($0, Self.lastDays) }
        guard days == nil || self.days != nil else {
            throw .invalid(field, "'\(text)': @Nd takes 1 to \(Self.lastDays.upperBound) days, as app_open@30d")
        }
        do {
            self.step = try FunnelStep(parsing: String(step), field: field, reader: reader)
        } catch {
            guard step.contains("@") || step.contains(">"), case .usage(let message, _, let allowed) = error else {
                throw error
            }
            let form: UsageMessage = "an event is a step of a funnel, then >=N, then @Nd, as touch[ref=gift]>=2@30d"
            throw .usage(message: "\(message); \(form)", field: field, allowed: allowed)
        }
    }

    private static func read(_ digits: String, _ allowed: ClosedRange<Int>) -> Int? {
        Int(digits).flatMap { allowed.contains($0) ? $0 : nil }
    }

    /// Takes a number off the end of a text, with what stands around it; nil if the text does not end so.
    private static func number(after marker: String, unit: String = "", endOf text: inout Substring) -> String? {
        guard text.hasSuffix(unit) else { return nil }
        let head = text.dropLast(unit.count)
        let digits = head.reversed().prefix { $0.isASCII && $0.isNumber }.reversed()
        let rest = head.dropLast(digits.count)
        guard !digits.isEmpty, rest.hasSuffix(marker) else { return nil }
        text = rest.dropLast(marker.count)
        return String(digits)
    }

    /// As it is written in a request.
    var text: String {
        let step = step.description
        var rest = step[...]
        let isAmbiguous =
            Self.number(after: "@", unit: "d", endOf: &rest) ?? Self.number(after: ">=", endOf: &rest) != nil
        return step + (count > 1 || isAmbiguous ? ">=\(count)" : "") + (days.map { "@\($0)d" } ?? "")
    }
}
