import Events
import Postgres
import Storage
import Time
import Timelines

/// The people behind a figure, row by row of the report, then by their first event, then by id.
struct PeopleList {
    /// How many ids are looked up at once.
    private static let peopleAtOnce = 2_000

    private let names: [String]
    private let countries: [String]
    private let app: App
    private let question: PeopleQuestion
    private var sorted: SortedEvidence
    private var next: Evidence?
    private var left: Int

    /// - Parameter rows: all rows of the report, in order.
    /// - Throws: `TimelineError.lostTemporaryFile`.
    init(_ evidence: PeopleEvidence, of rows: [PeopleRow], in app: App, for question: PeopleQuestion) throws {
        let areTotals = rows.allSatisfy(\.isTotal)
        let listed = rows.filter { question.lists($0, areTotals: areTotals) }
        names = listed.map(\.name)
        countries = evidence.countries
        self.app = app
        self.question = question
        sorted = try SortedEvidence(evidence.store, in: evidence.positions(of: listed, among: rows))
        next = try sorted.next()
        left = question.limit ?? .max
    }

    /// Whether a row has the name that was asked for.
    var hasGroup: Bool { question.group == nil || !names.isEmpty }

    /// The rows of the next people, some thousand at most, unless more of a row have the same first instant. Empty at
    /// the end.
    ///
    /// - Throws: `PostgresError`; `TimelineError`.
    mutating func nextRows(on connection: isolated PostgresConnection) throws -> [[ReportCell]] {
        guard left > 0 else { return [] }
        var batch: [Evidence] = []
        while let evidence = next {
            // People of one instant come by their ids, which must be known first.
            if batch.count >= min(Self.peopleAtOnce, left), let last = batch.last, Evidence.precedes(last, evidence) {
                break
            }
            batch.append(evidence)
            next = try sorted.next()
        }
        let people = try keys(of: batch, on: connection)
        let order = batch.indices.sorted { one, other in
            if Evidence.precedes(batch[one], batch[other]) { return true }
            if Evidence.precedes(batch[other], batch[one]) { return false }
            let (first, second) = (people[one].utf8, people[other].utf8)
            if !first.dropFirst().elementsEqual(second.dropFirst()) {
                return first.dropFirst().lexicographicallyPrecedes(second.dropFirst())
            }
            return first.lexicographicallyPrecedes(second)
        }
        let shown = order.prefix(left)
        left -= shown.count
        return try shown.map { try cells(of: batch[$0], person: people[$0]) }
    }

    /// - Parameter person: as in timelines.
    private func cells(of evidence: Evidence, person: String) throws -> [ReportCell] {
        guard let key = PersonKey(text: person) else { throw TimelineError.unknownLabel(String(person.prefix(1))) }
        return [
            .text(names[Int(evidence.group)]), .text(key.kind.rawValue), .text(key.id),
            evidence.platform < 0 ? .empty : .text(Platform.allCases[Int(evidence.platform)].rawValue),
            evidence.country < 0 ? .empty : .text(countries[Int(evidence.country)]),
            .text(Timestamp(microseconds: evidence.first).rfc3339),
            .text(Timestamp(microseconds: evidence.last).rfc3339), .integer(Int64(evidence.events)),
            question.figure.hasValue
                ? .decimal(millionths: roundedQuotient(evidence.value, by: Int128(CreditUnits.one))) : .empty,
        ]
    }

    private func keys(of batch: [Evidence], on connection: isolated PostgresConnection) throws -> [String] {
        let people = try EventAddress.people(of: batch.map(\.address), app: app, on: connection)
        let keys = people.compactMap(\.self)
        guard keys.count == batch.count else { throw TimelineError.missingEvent }
        return keys
    }
}
