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
        /// All values, if they never change.
        var options: [Choice]
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
    var entry: Entry?

    /// - Returns: nil if no figure of the view can be filtered, and no condition is in the address.
    init?(_ request: ViewRequest) async throws(DashboardFailure) {
        let filters = request.filters
        let reports = request.view.reports
        let keys = request.filterKeys
        guard !keys.isEmpty || !filters.isEmpty else { return nil }
        action = request.view.path
        hidden = (request.shared + request.given).map { HiddenField(name: $0.name, value: $0.value) }
        conditions = filters.texts.map { text in
            Condition(words: Filters.words(text), href: request.href(filters: filters.without(text)))
        }
        none = request.href(filters: filters.texts.reduce(filters) { $0.without($1) })
        self.keys = keys.map { Choice(value: $0, title: $0.replacing("_", with: " "), isChosen: false) }
        guard let key = request.addedKey else { return }
        guard let report = reports.first(where: { filters.keys(of: $0).contains(key) }) else {
            throw .invalid("This page cannot be filtered by ‘\(key)’. It can by: \(keys.joined(separator: ", ")).")
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
