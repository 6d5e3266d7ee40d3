import HTTPTypes

extension AnswerFormat {
    /// The format that `Accept` prefers (RFC 9110 section 12.5.1): JSON, unless CSV has a higher quality.
    init(accepting headers: HTTPFields) {
        var quality: [AnswerFormat: (specificity: Int, quality: Double)] = [:]
        for range in headers[values: .accept].flatMap({ $0.split(separator: ",") }) {
            var parts = range.split(separator: ";").map(\.trimmingBlanks)
            guard let type = parts.first?.lowercased() else { continue }
            parts.removeFirst()
            let weight = parts.first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            for format in AnswerFormat.allCases {
                let specificity: Int
                switch type {
                case format.mediaType: specificity = 3
                case format.mediaType.prefix { $0 != "/" } + "/*": specificity = 2
                case "*/*": specificity = 1
                default: continue
                }
                if specificity > quality[format]?.specificity ?? 0 { quality[format] = (specificity, weight) }
            }
        }
        self = quality[.csv]?.quality ?? 0 > quality[.json]?.quality ?? 0 ? .csv : .json
    }

    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .csv: "text/csv"
        }
    }
}
