/// What answers the requests with keys of one database's apps, beside those that write.
struct AppEndpoints: Sendable {
    let report: ReportEndpoint
    let questions: QuestionEndpoint
    let answers: AnswerEndpoint
    let links: LinkEndpoint
    let costs: CostEndpoint
    let rates: RateEndpoint
}
