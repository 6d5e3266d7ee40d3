import HTTPTypes
import Storage

/// The currencies that an app has rates of, and the form for a file with more, for the template `rates`.
struct RatesView {
    struct Row {
        var currency: String
        var count: String
        var first: String
        var last: String
        var rate: String
        /// The page that asks whether to remove them.
        var clearing: String
    }

    /// Whether the one who asks may change rates.
    var isEditable = Caller.may(.manager)
    /// The app's.
    var currency: String
    var rows: [Row]
    var clearing = Dashboard.rateClearingPath
    var form: MoneyFileForm

    init(_ request: ViewRequest, _ form: MoneyFileForm) async throws(DashboardFailure) {
        currency = request.app.profile.currency
        rows = try await request.stores.ask { try await $0.rates.spans(of: request.app) }.map { span in
            Row(
                currency: span.last.currency,
                count: NumberText.grouped(Double(span.count)),
                first: "\(span.first)",
                last: "\(span.last.day)",
                rate: span.last.text,
                clearing: Dashboard.rateClearingPath + "?" + FormFields.encode([("currency", span.last.currency)])
            )
        }
        self.form = form
    }
}

/// The form that takes a CSV file or its lines, for the template `money-file`.
struct MoneyFileForm {
    /// The path that takes the form.
    var action: String
    /// What the file must be.
    var hint: String
    var example: String
    /// The lines that were pasted.
    var text: String
    var button: String
    /// What became of a file.
    var done: String?
    var problem: String?
    var key: WriteKeyField
    var status: HTTPResponse.Status

    static func costs(_ file: FileForm = FileForm(), _ form: FormState = FormState()) -> MoneyFileForm {
        MoneyFileForm(
            action: Dashboard.costImportPath,
            hint: "CSV of at most 1 MiB, with the columns from and amount, one or several of ref, channel and link, "
                + "and perhaps to, the day after the last one, and currency. A cost of the same name and days is "
                + "replaced.",
            example: "ref,from,to,amount,currency\nnewsletter,2026-11-01,2026-12-01,300,EUR",
            text: file.shownText,
            button: "Import the costs",
            problem: form.problem?.asSentence,
            key: form.key,
            status: form.status
        )
    }

    static func rates(_ file: FileForm = FileForm(), _ form: FormState = FormState()) -> MoneyFileForm {
        MoneyFileForm(
            action: Dashboard.ratesPath,
            hint: "The European Central Bank's eurofxref-hist.csv as it is, or CSV with the columns date, currency and "
                + "rate, of at most 4 MiB. A rate of the same currency and day is replaced.",
            example: "date,currency,rate\n2026-11-24,EUR,1.1585",
            text: file.shownText,
            button: "Import the rates",
            problem: form.problem?.asSentence,
            key: form.key,
            status: form.status
        )
    }
}
