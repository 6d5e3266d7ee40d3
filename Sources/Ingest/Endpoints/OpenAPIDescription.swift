/// `GET /openapi.yaml`: the file `openapi.yaml` beside this one, with a line for each problem code. Tests compare it
/// with ``Route``, ``ProblemCode`` and `Rejection.Code`.
enum OpenAPIDescription {
    static let text = TextFiles.openapiYAML
        .split(separator: "\n", omittingEmptySubsequences: false)
        .flatMap { lines(String($0)) }
        .joined(separator: "\n")

    /// - Parameter line: of the file. One with placeholders is repeated for each code.
    private static func lines(_ line: String) -> [String] {
        guard line.contains("<code>") else { return [line] }
        return ProblemCode.allCases.map { code in
            line.replacing("<code>", with: code.rawValue)
                .replacing("<status>", with: "\(code.status)")
                .replacing("<title>", with: code.title)
        }
    }
}
