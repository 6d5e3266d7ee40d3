import ArgumentParser
import Reporting

/// The values of parameters of reports and exports, which shells offer.
enum ParameterValues {
    /// The values that the report or export on the command line takes; those of all, if none is named yet. In a list,
    /// shells offer the next value.
    static func completion(of parameter: String) -> CompletionKind {
        .custom { words, _, prefix in
            let entries = ReportCatalogue.descriptions + ExportCatalogue.descriptions
            let named = entries.first { words.contains($0.name) }
            var values: [String] = []
            for entry in named.map({ [$0] }) ?? entries {
                for known in entry.parameters + ReportParameter.common where known.name == parameter {
                    values += known.offered.filter { !values.contains($0) }
                }
            }
            let list = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
            return values.map { list + $0 }
        }
    }
}
