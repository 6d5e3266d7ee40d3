/// The controls above the figures of a view. They are parts of the form of its days.
struct OptionsForm {
    /// The fields of the view that the form keeps and no control shows.
    var kept: [(name: String, value: String)]
    var controls: [Control]
    /// Those that few need, below a heading that opens them.
    var more: [Control]
    /// Whether one of them is not as usual.
    var isMoreChosen: Bool

    /// - Parameter kept: fields of the view that no control shows.
    init(_ request: ViewRequest, keeping kept: [String] = [], _ controls: [Control], more: [Control] = []) {
        self.more = more
        isMoreChosen = more.contains { !$0.value.isEmpty || $0.choices.dropFirst().contains(where: \.isChosen) }
        self.kept = request.given.filter { kept.contains($0.name) || $0.name == View.columnsField }
        self.controls = controls
    }
}

/// A parameter of a view as a part of its form.
struct Control {
    /// One of several pages, as a link: choosing it takes other parameters off.
    struct Tab {
        var name: String
        var href: String
        var isCurrent: Bool
    }

    var label = ""
    var field = ""
    var value = ""
    var size = 0
    var isSelect = false
    var isText = false
    var choices: [Choice] = []
    /// Values that the browser offers while somebody types.
    var suggestions: [String] = []
    var tabs: [Tab] = []

    static func choice(_ label: String, _ field: String, _ choices: [Choice]) -> Control {
        Control(label: label, field: field, isSelect: true, choices: choices)
    }

    /// A switch, as two choices in words. The usual one is no field of the address.
    static func either(
        _ label: String,
        _ field: String,
        off: String,
        on: String,
        isOn: Bool,
        usually isUsuallyOn: Bool = false
    ) -> Control {
        let choices = [false, true].map { value in
            let word = value == isUsuallyOn ? "" : value ? "on" : "off"
            return Choice(value: word, title: value ? on : off, isChosen: value == isOn)
        }
        return .choice(label, field, choices)
    }

    static func text(_ label: String, _ field: String, _ value: String, size: Int, suggestions: [String] = [])
        -> Control
    {
        Control(label: label, field: field, value: value, size: size, isText: true, suggestions: suggestions)
    }

    /// Which conversions count: all, or those of one name.
    ///
    /// - Parameter goals: the names of the app's conversions; empty if there are none to choose from.
    static func goal(_ request: ViewRequest, _ goals: [String]) -> Control {
        goals.isEmpty
            ? .text("Goal", "goal", request["goal"] ?? "", size: 14)
            : .choice("Goal", "goal", Choice.names(goals, chosen: request["goal"], first: "all"))
    }

    static func tabs(_ label: String, _ tabs: [Tab]) -> Control {
        Control(label: label, tabs: tabs)
    }
}
