/// All exports.
package enum ExportCatalogue {
    static let exports: [any Export.Type] = [
        EventsExport.self,
        TouchesExport.self,
        CreditsExport.self,
        PeopleExport.self,
    ]

    package static var names: [String] { exports.map { $0.name } }

    /// For help texts and the data dictionary.
    package static var descriptions: [ReportDescription] {
        exports.map {
            ReportDescription(
                name: $0.name,
                summary: $0.summary,
                parameters: $0.parameters,
                columns: $0.columns,
                examples: $0.examples
            )
        }
    }

    /// - Throws: `ReportError.usage` for an unknown name.
    static func export(named name: String) throws(ReportError) -> any Export.Type {
        guard let export = exports.first(where: { $0.name == name }) else {
            throw .unknown("export", name, allowed: names)
        }
        return export
    }
}
