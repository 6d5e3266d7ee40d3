import Yams

/// Why a text is not YAML, for people: with the line where it is known.
///
/// - Parameter error: what Yams threw.
package func yamlProblem(_ error: any Error) -> String {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
        YamlError.composer(_, let problem, let mark, _):
        "line \(mark.line): \(problem)"
    case YamlError.duplicatedKeysInMapping(let keys, let context):
        "line \(context.mark.line): a key appears twice: \(keys.joined(separator: ", "))"
    case YamlError.reader(let problem, _, _, _): problem
    default: "it cannot be read"
    }
}
