/// How many people go through steps of the user's choice.
struct FunnelReport: FunnelTableReport {
    static let name = "funnel"
    static let summary = "How many people get from step to step, how long it takes them, and how sure the rate is."
    static let examples = ["--steps touch,install,conversion --by ref", "--by channel --compare-previous"]
    static let parameters: [ReportParameter] =
        [.steps, .funnelGrouping("Groups by a property of the first step's event, or by two")] + ReportParameter.funnel
    static let columns = FunnelTable.steps.columns
    static let allColumns = FunnelTable.allColumns

    private(set) var funnel: Funnel
    let table: FunnelTable

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        funnel = try Funnel(reading: &parameters)
        funnel.limit = try parameters.groupLimit()
        table = try FunnelTable(reading: &parameters)
    }
}
