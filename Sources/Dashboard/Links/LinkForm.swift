import Redirects
import Storage

/// The form that creates a link, for the template `link-form`.
struct LinkForm {
    /// One field with its control. Exactly one of the flags of the control is on.
    struct Field {
        var name: String
        var label: String
        var hint: String
        var value: String
        var isInput = false
        var isArea = false
        var isCheckbox = false
        var isChoice = false
        var type = "text"
        /// `url` gives phones another keyboard. The browser's own check of addresses would refuse some that are right.
        var inputMode = "text"
        var isChecked = false
        var choices: [Choice] = []
        var problem: String
        var hasProblem: Bool
        /// Whether the cursor is here: on the first field with a problem.
        var isFirstProblem = false
    }

    struct Group {
        var heading: String
        var fields: [Field]
        var isOpen: Bool
    }

    /// The fields that are always seen.
    var fields: [Field]
    /// The others, which a person may open.
    var groups: [Group]
    /// Empty if the app has one host.
    var hosts: [Choice]
    var hasHosts: Bool
    var hostProblem: String
    var hasHostProblem: Bool
    var key: WriteKeyField
    /// A sentence above the form.
    var problem: String
    var hasProblem: Bool
    var timeZone: String

    /// - Parameters:
    ///   - form: what was entered. The key is never given back. Nil for a new form.
    ///   - faults: by field; `key` is the key.
    ///   - problem: what is wrong apart from fields.
    init(_ form: FormFields?, app: App, faults: [LinkFault] = [], problem: String = "") {
        var isFirst = true
        func fault(_ name: String, _ label: String = "") -> String? {
            let messages = faults.filter { $0.field == name }.map { fault in
                // People see the label and not the field's name.
                label.isEmpty || !fault.message.hasPrefix(name + " ")
                    ? fault.message : label + fault.message.dropFirst(name.count)
            }
            return messages.isEmpty ? nil : messages.joined(separator: "; ")
        }
        func field(_ field: LinkField) -> Field {
            let message = fault(field.name, field.label)
            var made = Field(
                name: field.name,
                label: field.label,
                hint: field.hint,
                value: field.isCheckbox ? "" : form?[field.name] ?? "",
                problem: message.map(Self.sentence) ?? "",
                hasProblem: message != nil
            )
            switch field.control {
            case .text: made.isInput = true
            case .address:
                made.isInput = true
                made.inputMode = "url"
            case .time:
                made.isInput = true
                made.type = "datetime-local"
                made.hint = "In the time zone \(app.profile.timeZone). Left empty, the link does not end."
            case .area: made.isArea = true
            case .checkbox:
                made.isCheckbox = true
                made.isChecked = form.map { $0[field.name] != nil } ?? field.isOnAtFirst
            case .choice(let values):
                made.isChoice = true
                made.choices = Choice.list(values, chosen: made.value)
                if values.first == "" { made.choices[0].title = "not set" }
            }
            if message != nil, isFirst {
                made.isFirstProblem = true
                isFirst = false
            }
            return made
        }
        fields = LinkField.groups[0].fields.map(field)
        groups = LinkField.groups.dropFirst().map { group in
            let fields = group.fields.map(field)
            return Group(
                heading: group.heading,
                fields: fields,
                isOpen: fields.contains { $0.hasProblem || !$0.isChoice && !$0.value.isEmpty }
            )
        }
        let names = app.profile.linkHosts
        hosts = names.count > 1 ? Choice.list(names, chosen: form?["host"] ?? names[0]) : []
        hasHosts = names.count > 1
        hostProblem = fault("host").map(Self.sentence) ?? ""
        hasHostProblem = !hostProblem.isEmpty
        key = WriteKeyField(problem: fault(WriteKeyField.name))
        let count = Set(faults.map(\.field)).count
        let summary = "Nothing was created: \(count == 1 ? "one field needs" : "\(count) fields need") another value."
        self.problem = problem.isEmpty && count > 0 ? summary : problem
        hasProblem = !self.problem.isEmpty
        timeZone = app.profile.timeZone
    }

    /// A fault's message, with a full stop.
    private static func sentence(_ message: String) -> String { message.hasSuffix(".") ? message : message + "." }
}
