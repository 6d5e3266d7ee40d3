/// What stores and answers for the apps of one database.
package struct ServedApps: Sendable {
    package var sink: any EventSink
    package var reports: any ReportSource
    package var answers: any AnswerSource
    package var links: any LinkSource
    package var costs: any CostSource
    package var rates: any RateSource
    /// The short links that are served, and that touches may have come through.
    package var directory: LinkDirectory
    /// Keeps what their visitors do.
    package var clicks: any ClickSink
    /// Whether the database that answers is known to be away.
    package var isAway: @Sendable () -> Bool

    package init(
        sink: any EventSink,
        reports: any ReportSource,
        answers: any AnswerSource,
        links: any LinkSource,
        costs: any CostSource,
        rates: any RateSource,
        directory: LinkDirectory,
        clicks: any ClickSink,
        isAway: @escaping @Sendable () -> Bool = { false }
    ) {
        self.sink = sink
        self.reports = reports
        self.answers = answers
        self.links = links
        self.costs = costs
        self.rates = rates
        self.directory = directory
        self.clicks = clicks
        self.isAway = isAway
    }
}
