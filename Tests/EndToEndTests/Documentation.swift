import Foundation

/// A page of docs/, whose examples are run.
struct Documentation {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs")
        .standardizedFileURL

    private let blocks: [(language: String, text: String)]

    init(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        var blocks: [(language: String, text: String)] = []
        for (index, part) in text.components(separatedBy: "```").enumerated() where index % 2 == 1 {
            let end = part.firstIndex(of: "\n") ?? part.endIndex
            blocks.append((String(part[..<end]), String(part[end...].dropFirst())))
        }
        self.blocks = blocks
    }

    /// The first block of a language that contains a text; empty if there is none.
    func block(_ language: String, containing part: String = "") -> String {
        blocks.first { $0.language == language && (part.isEmpty || $0.text.contains(part)) }?.text ?? ""
    }
}
