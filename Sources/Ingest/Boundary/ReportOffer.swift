/// A report as `openapi.yaml` describes it.
package struct ReportOffer: Equatable, Sendable {
    /// A parameter of its query.
    package struct Parameter: Equatable, Sendable {
        /// What its values are.
        package enum Kind: Equatable, Sendable {
            case text, flag
            /// A number from 1.
            case count
            /// One of some words.
            case word([String])
            /// Texts, each as a parameter of its own.
            case repeated
        }

        package var name: String
        package var summary: String
        package var kind: Kind
        package var isRequired: Bool

        package init(name: String, summary: String, kind: Kind, isRequired: Bool = false) {
            self.name = name
            self.summary = summary
            self.kind = kind
            self.isRequired = isRequired
        }
    }

    package var name: String
    package var summary: String
    /// Without `format`, which every report has.
    package var parameters: [Parameter]

    package init(name: String, summary: String, parameters: [Parameter]) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
    }
}
