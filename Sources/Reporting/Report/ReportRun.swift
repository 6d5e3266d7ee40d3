import Time
import Timelines

/// What a fold needs beside its report's parameters.
struct ReportRun {
    /// What is counted: the range that was asked for, or its mature part.
    var range: ReportRange
    /// The range to compare it with; nil if none was asked for.
    var previous: ReportRange?
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
}
