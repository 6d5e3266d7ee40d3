import Reporting

/// What the page Explore has in the same place whatever its figures are: which figures, and by which keys. Each kind of
/// figures has a path of its own. The way to another kind keeps the keys, the goal, the days and the filters.
struct Exploring {
    static let kinds: [(view: View, name: String)] = [
        (.breakdown, "Groups"), (.changes, "Changes"), (.attribution, "Credits"), (.compare, "Comparison"),
        (.goals, "Goals"),
    ]

    private let request: ViewRequest
    /// Each once. Figures that have one key take the first, and keep the second for those that have two.
    let keys: [String]

    /// - Parameter keys: with commas between them.
    init(_ request: ViewRequest, by keys: String) {
        self.request = request
        let given = keys.split(separator: ",").map(String.init)
        self.keys = given.enumerated().filter { !given[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// The keys that a kind of figures can have; none if it has no groups by a key.
    func offered(_ view: View) -> [String] {
        switch view {
        case .breakdown, .changes, .attribution: return request.choices("by", of: view.rawValue)
        case .compare:
            // Those whose values can be listed.
            let listed = request.choices("by", of: "breakdown")
            return request.filters.keys(of: "compare").filter(listed.contains)
        default: return []
        }
    }

    private func href(_ view: View) -> String {
        let offered = offered(view)
        let by = keys.filter { offered.isEmpty || offered.contains($0) }.joined(separator: ",")
        let kept = request.given.filter { $0.name == "goal" && view.fields.contains("goal") }
        return request.href(view, (by.isEmpty ? [] : [("by", by)]) + kept)
    }

    /// A form that begins with the controls of this page.
    ///
    /// - Parameter group: what a field of the page's own has in place of the keys.
    func form(_ own: OptionsForm, group: [String]? = nil) -> OptionsForm {
        let (view, first) = (request.view, keys.first ?? "")
        let second = keys.count > 1 ? keys[1] : ""
        let offered = offered(view)
        var controls: [Control] = [
            .tabs(
                "Figures",
                Self.kinds.map { Control.Tab(name: $0.name, href: href($0.view), isCurrent: $0.view == view) }
            )
        ]
        if let group {
            controls.append(.choice("By", "group", Choice.list(group, chosen: first)))
        } else if !offered.isEmpty {
            controls.append(.choice("By", JoinedFields.keys[0], Choice.list(offered, chosen: first)))
        }
        var form = own
        if [.breakdown, .changes].contains(view) {
            let nothing = Choice(value: "", title: "(nothing)", isChosen: second.isEmpty)
            let others = Choice.list(offered.filter { $0 != first }, chosen: second)
            controls.append(.choice("and", JoinedFields.keys[1], [nothing] + others))
        } else if !offered.isEmpty, !second.isEmpty, group == nil {
            form.kept.append((JoinedFields.keys[1], second))
        }
        form.controls = controls + own.controls
        return form
    }
}
