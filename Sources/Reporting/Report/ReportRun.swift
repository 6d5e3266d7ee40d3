import Time
import Timelines

/// What a fold needs beside its report's parameters.
struct ReportRun {
    /// What is counted: the range that was asked for, or its mature part.
    var range: ReportRange
    /// The range to compare it with; nil if none was asked for.
    var previous: ReportRange?
    /// Of a run over the preceding range: the range that it is compared with. Groups by day, week or month have the
    /// dates of that range: the first period those of the first, and so on.
    private(set) var datedLike: ReportRange?
    var zone: ReportTimeZone
    /// When the report was requested.
    var now: Timestamp
    /// When the app's first event happened; nil without events, and for folds that do not ask.
    var firstEvent: Timestamp?
    /// ISO 4217. Only values in this currency are summed.
    var currency: String
    var dictionary: TimelineDictionary
    /// Where long lists of funnel times are kept.
    var times = TimesStore()
    /// Where folds keep what is too much for memory.
    var file = TemporaryFile()
    var size = AnswerSize(columns: 1)
    /// What the rows cost; nil if they can have no costs, and for folds that do not ask.
    var costs: CostTable?

    /// The same over the preceding range.
    func before(_ range: ReportRange) -> ReportRun {
        var run = self
        run.datedLike = self.range
        run.range = range
        return run
    }
}

/// The dates of groups by day, week or month.
struct PeriodDates {
    /// By how many periods they are later than the periods themselves (``ReportRun/datedLike``).
    private var shifts = (day: 0, week: 0, month: 0)

    init(_ run: ReportRun) {
        guard let range = run.datedLike else { return }
        func shift(_ length: CalendarPeriod) -> Int {
            length.number(of: run.zone.day(of: range.from)) - length.number(of: run.zone.day(of: run.range.from))
        }
        shifts = (shift(.day), shift(.week), shift(.month))
    }

    /// The date of the period that contains a day, as a day's number.
    func number(of day: CivilDate, _ length: CalendarPeriod) -> Int {
        let shift =
            switch length {
            case .day: shifts.day
            case .week: shifts.week
            case .month: shifts.month
            }
        return shift == 0
            ? length.start(of: day).number : length.firstDay(ofPeriod: length.number(of: day) + shift).number
    }
}
