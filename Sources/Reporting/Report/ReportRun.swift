import Time
import Timelines

/// What a fold knows beside its report's parameters.
struct ReportRun {
    var range: ReportRange
    var zone: ReportTimeZone
    /// When the report was asked for.
    var now: Timestamp
    /// ISO 4217; only values in it are summed.
    var currency: String
    var dictionary: TimelineDictionary
    /// Where the times of funnels go when there are many.
    var times = TimesStore()
}
