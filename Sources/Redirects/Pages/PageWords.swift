import Events
import Foundation
package import JSONReading
import InboundLinks
import Text
import Yams

/// An app's own words for the pages of its links, by language. English is built in.
package struct PageWords: Codable, Equatable, Sendable {
    /// The longest file of words, in bytes.
    package static let byteLimit = 64 << 10
    private static let languageLimit = 100
    /// In bytes.
    private static let wordLimit = 300

    /// By the language's tag (`LanguageTag`). A word that is missing is English.
    package private(set) var languages: [String: [PageWord: String]] = [:]

    package init() {}

    package var isEmpty: Bool { languages.isEmpty }

    /// - Parameter name: the file's, for messages.
    /// - Throws: what is wrong first, with its line. Nothing is read in part.
    package init(yaml: String, name: String) throws(PageWordsError) {
        guard yaml.utf8.count <= Self.byteLimit else {
            throw PageWordsError("\(name) is longer than \(Self.byteLimit >> 10) KiB")
        }
        if let problem = YAMLAliases.problem(in: yaml) { throw PageWordsError("\(name), \(problem)") }
        let root: Node?
        do {
            root = try Yams.compose(yaml: yaml)
        } catch {
            throw PageWordsError("\(name) is not YAML: \(yamlProblem(error))")
        }
        func failure(_ node: Node, _ problem: String) -> PageWordsError {
            PageWordsError("\(name), \(node.mark.map { "line \($0.line): " } ?? "")\(problem)")
        }
        guard let root, let languages = root.mapping, !languages.isEmpty else {
            throw PageWordsError("\(name) has no words; it must name languages, such as 'de: {get: App holen}'")
        }
        for (key, node) in languages {
            guard let language = key.scalar?.string, let words = node.mapping else {
                throw failure(node, "a language has its words below it, such as 'de: {get: App holen}'")
            }
            for (key, value) in words {
                guard let word = key.scalar?.string, let text = value.scalar?.string else {
                    throw failure(value, "a word must be a text")
                }
                do throws(PageWordsError) {
                    try set(word, of: language, to: text)
                } catch {
                    throw failure(key, error.message)
                }
            }
        }
    }

    /// - Parameter json: an object of languages, each an object of words; null: there are none.
    package init(json: JSONNode, field: String) throws(LinkFault) {
        if json.kind == .null { return }
        func wrong() -> LinkFault {
            LinkFault(.invalidType, field, "\(field) must be an object of languages, each an object of words")
        }
        guard json.kind == .object else { throw wrong() }
        for (language, words) in json.members {
            guard words.kind == .object else { throw wrong() }
            for (word, value) in words.members {
                guard let text = value.string else { throw wrong() }
                do throws(PageWordsError) {
                    try set(word, of: language, to: text)
                } catch {
                    throw LinkFault(.invalidValue, field, "\(field): \(error.message)")
                }
            }
        }
    }

    /// Words that were stored. What this program does not know, because a newer one stored it, is left out.
    package init(stored json: JSONNode) {
        for (language, words) in json.members {
            for (word, value) in words.members { if let text = value.string { try? set(word, of: language, to: text) } }
        }
    }

    private mutating func set(_ name: String, of language: String, to text: String) throws(PageWordsError) {
        guard let tag = LanguageTag.normalised(language) else {
            throw PageWordsError("'\(language.prefix(40))' is no language; write it as browsers do: de, pt-BR")
        }
        guard let word = PageWord(rawValue: name) else {
            let hint = closestName(to: name, among: PageWord.allCases.map(\.rawValue)).map { "; did you mean '\($0)'?" }
            let all = PageWord.allCases.map(\.rawValue).joined(separator: ", ")
            throw PageWordsError("there is no word '\(name.prefix(40))'" + (hint ?? "; the words are \(all)"))
        }
        guard !text.isEmpty, text.utf8.count <= Self.wordLimit, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else {
            throw PageWordsError("'\(name)' must have 1 to \(Self.wordLimit) bytes, all in one line")
        }
        guard !text.replacing("{app}", with: "").contains(where: { $0 == "{" || $0 == "}" }) else {
            throw PageWordsError("'\(name)' may have {app} in braces, for the app's name, and nothing else")
        }
        languages[tag, default: [:]][word] = text
        guard languages.count <= Self.languageLimit else {
            throw PageWordsError("there are more than \(Self.languageLimit) languages")
        }
    }

    /// ``init(json:field:)`` reads it back.
    package var json: String {
        var json = JSONWriter()
        json.object { json in
            for (language, words) in languages.sorted(by: { $0.key < $1.key }) {
                json.key(language)
                json.object { json in
                    for word in PageWord.allCases { if let text = words[word] { json.member(word.rawValue, text) } }
                }
            }
        }
        return json.text
    }

    /// The language that suits a visitor best; English if none does.
    ///
    /// - Parameter accepted: the header `Accept-Language`.
    func language(for accepted: String?) -> String {
        guard !languages.isEmpty, let accepted else { return Self.english }
        for tag in LanguageTag.accepted(accepted) {
            if let language = language(closestTo: tag) { return language }
        }
        return Self.english
    }

    /// The tag itself or its beginning (RFC 4647, section 3.4); else one of the same language, preferably in the script
    /// that CLDR's likely subtags say: who reads `zh-TW` reads `zh-Hant`.
    private func language(closestTo tag: String) -> String? {
        var subtags = tag.split(separator: "-")
        while subtags.count > 1 {
            let shorter = subtags.joined(separator: "-")
            if languages[shorter] != nil { return shorter }
            subtags.removeLast()
        }
        let base = Self.base(of: tag)
        let siblings = (Array(languages.keys) + [Self.english]).filter { Self.base(of: $0) == base }
        let script = Locale.Language(identifier: tag).script
        let inScript = siblings.filter { Locale.Language(identifier: $0).script == script }
        func rank(_ language: String) -> Int { language == tag.prefix { $0 != "-" } ? 0 : language == base ? 1 : 2 }
        return (inScript.isEmpty ? siblings : inScript).min { (rank($0), $0) < (rank($1), $1) }
    }

    /// The language alone. Both written forms of Norwegian are Norwegian.
    private static func base(of tag: String) -> String {
        let language = tag.prefix { $0 != "-" }
        return language == "nb" || language == "nn" ? "no" : String(language)
    }

    static let english = "en"
}

/// What is wrong with a file of words.
package struct PageWordsError: Error, CustomStringConvertible {
    package let message: String

    init(_ message: String) { self.message = message }

    package var description: String { message }
}
