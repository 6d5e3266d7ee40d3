/// The funnel from a tap on a link to the install and the conversion.
struct InstallsReport: FunnelTableReport {
    static let name = "installs"
    static let summary = "The funnel from a tap on a link to an install, an authentication and a conversion."
    static let examples = ["--by ref", "--by channel --window 3d --times"]
    static let parameters: [ReportParameter] =
        [.funnelGrouping("Groups by a property of the tap, or by two")] + ReportParameter.funnel
    static let columns = FunnelTable.steps.columns + [FunnelTable.injectedColumn]
    static let allColumns = FunnelTable.allColumns + [FunnelTable.injectedColumn.only("without `--times`")]
    static let tellsInjected = true
    static let steps = [
        FunnelStep(.tap), FunnelStep(.install), FunnelStep(.authentication), FunnelStep(.conversion(nil)),
    ]

    private(set) var funnel: Funnel
    let table: FunnelTable

    init(reading parameters: inout ParameterReader) throws(ReportError) {
        funnel = try Funnel(reading: &parameters, steps: Self.steps)
        funnel.limit = try parameters.groupLimit()
        table = try FunnelTable(reading: &parameters)
    }
}
