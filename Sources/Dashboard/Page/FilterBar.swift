import Reporting

/// The conditions of a view above its figures: each can be taken off, and others added.
struct FilterBar {
    struct Condition {
        var words: String
        /// The view without it.
        var href: String
    }

    /// The form for the value of a chosen key.
    struct Entry {
        var key: String
        var keyName: String
        /// What the value is to the key, and what it is not.
        var yes = "is"
        var no = "is not"
        /// All values, if they never change.
        var options: [Choice] = []
        /// Values that occur.
        var names: [String]
        /// What is to say of the names.
        var remark: String?
        var cancel: String
    }

    var action: String
    var hidden: [HiddenField]
    var conditions: [Condition]
    /// The view without any.
    var none: String
    var keys: [Choice]
    /// Conditions on people that need no value.
    var ready: [Choice]
    var entry: Entry?

    /// - Returns: nil if no figure of the view can be filtered, and no condition is in the address.
    init?(_ request: ViewRequest) async throws(DashboardFailure) {
        let filters = request.filters
        let reports = request.view.reports
        let keys = request.filterKeys
        guard !keys.isEmpty || request.takesPeople || !filters.isEmpty else { return nil }
        action = request.view.path
        hidden = (request.shared + request.given).map { HiddenField(name: $0.name, value: $0.value) }
        conditions = filters.parameters.map { filter in
            Condition(words: Filters.words(filter), href: request.href(filters: filters.without(filter)))
        }
        none = request.href(filters: filters.parameters.reduce(filters) { $0.without($1) })
        self.keys = keys.map { Choice(value: $0, title: $0.replacing("_", with: " "), isChosen: false) }
        ready = request.takesPeople ? Choice.list(ReadyDeeds.all.map { ($0.field, $0.title) }, chosen: "") : []
        if request.takesPeople {
            self.keys.append(Choice(value: Filters.peopleKey, title: "what people did", isChosen: false))
        }
        guard let key = request.addedKey else { return }
        if key == Filters.peopleKey, request.takesPeople {
            entry = Entry(
                key: key,
                keyName: "People who",
                yes: "did",
                no: "did not",
                names: StepChoices.offered(try await request.goals()),
                remark: "Up to the end of these days. touch>=2: twice or more; app_open@30d: in the last 30 days; "
                    + "touch[channel=search]: only such.",
                cancel: request.href(filters: filters)
            )
            return
        }
        guard let report = reports.first(where: { filters.keys(of: $0).contains(key) }) else {
            let known = self.keys.map(\.value).joined(separator: ", ")
            throw .invalid("This page cannot be filtered by ‘\(key)’. It can by: \(known).")
        }
        // Keys of posts are none of a breakdown.
        let canList = filters.keys(of: "breakdown").contains(key)
        let closed = Filters.closedValues(of: key, in: report)
        let values = closed.isEmpty && canList ? try await request.values(of: key) : ([], false)
        entry = Entry(
            key: key,
            keyName: key.replacing("_", with: " "),
            options: closed.map { Choice(value: $0, title: $0.replacing("_", with: " "), isChosen: false) },
            names: values.0,
            remark: values.1 ? "The \(values.0.count) most frequent are offered; any other can be typed." : nil,
            cancel: request.href(filters: filters)
        )
    }
}
