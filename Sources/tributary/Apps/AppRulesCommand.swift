import ArgumentParser
import Foundation
import InboundLinks
import Storage
import Time

struct AppRulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules",
        abstract: "Give an app rules of its own for the channels and refs of its links.",
        discussion: """
            Rules say what parameters such as utm_source mean to the app (docs/rules.md). They come before the rules \
            of every app. A change counts for links that arrive from then on; 'tributary reread' reads history again.

              tributary app rules set shop rules.yaml
              tributary app rules show shop
              tributary app rules show shop --version 2
              tributary app rules clear shop
            """,
        subcommands: [SetAppRulesCommand.self, ShowAppRulesCommand.self, ClearAppRulesCommand.self]
    )

    /// Says what a change of rules means for what is stored.
    static func tellAboutHistory(of id: String) {
        StandardError.write(
            "Links are read by these rules from now on. 'tributary reread --app \(id) --dry-run' shows what they would "
                + "change in history."
        )
    }
}

struct SetAppRulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Give an app the rules of a file, in place of those that it has.",
        discussion: """
            The file is YAML (docs/rules.md); - is standard input:
              refs: [utm_campaign]
              rules:
                - when: {utm_source: "newsletter*", utm_medium: email}
                  channel: story_links
                  ref: newsletter
              page: {keep: [id]}

            A mistake is refused with its line and status 65, and the app keeps the rules that it has.
            """
    )

    @OptionGroup var app: NamedApp

    @Argument(help: "The file of rules; - is standard input.", completion: .file(extensions: ["yaml", "yml"]))
    var file: String

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let yaml = try YAMLFile.text(file, of: "rules", limit: ReadingRules.byteLimit)
        // Before the database is asked: a mistake is told without one.
        let rules = try ReadingRules(yaml: yaml, name: file)
        let set = try await app.withStore { try await $0.setRules(yaml, of: $1, name: file) }
        guard let set else {
            StandardError.write("nothing changes: the app has these rules already")
            return
        }
        Record([
            ("app_id", .string(app.id)), ("version", .number(Int64(set.version))),
            ("set_at", .string(set.setAt.rfc3339)), ("rules", .number(Int64(rules.rules.count))),
            ("refs", .list(rules.refParameters)), ("page", .list(rules.pageParameters)),
        ]).print(as: format.form)
        AppRulesCommand.tellAboutHistory(of: app.id)
    }
}

struct ShowAppRulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print the rules of an app, as they were given.",
        discussion: """
            Which version that is, and since when, goes to standard error. Every version is kept. --format json prints \
            an object with the rules as "yaml", which is null for an app without rules of its own.
            """
    )

    @OptionGroup var app: NamedApp

    @Option(help: "An earlier version (default: the last).")
    var version: Int?

    @Flag(help: "List all versions in place of the rules, the last first.")
    var versions = false

    @Option(help: "The form of the output.")
    var format: RecordFormat.Form = .text

    func run() async throws {
        let all = try await app.withStore { try await $0.rulesVersions(of: $1) }
        if versions {
            Record.print(
                all.map { version in
                    Record([
                        ("version", .number(Int64(version.version))), ("set_at", .string(version.setAt.rfc3339)),
                        ("rules", (try? version.rules()).map { .number(Int64($0.rules.count)) } ?? .null),
                    ])
                },
                as: format
            )
            return
        }
        let found: AppRulesVersion? = version.map { number in all.first { $0.version == number } } ?? all.first
        if format == .json, found != nil || version == nil {
            return Record([
                ("version", found.map { .number(Int64($0.version)) } ?? .null),
                ("set_at", .optional(found?.setAt.rfc3339)), ("yaml", .optional(found?.yaml)),
            ]).print(as: .json)
        }
        guard let last = all.first else {
            let name = "the app '\(app.id)'"
            guard version == nil else { throw CommandFailure(.usage, "\(name) has never had rules of its own") }
            StandardError.write("\(name) has no rules of its own")
            return
        }
        guard let shown = found else {
            throw CommandFailure(.usage, "there is no version \(version ?? 0); the versions are 1 to \(last.version)")
        }
        let state = shown.version == last.version ? "" : ", not the last"
        StandardError.write("version \(shown.version)\(state), set at \(shown.setAt.rfc3339)")
        guard let yaml = shown.yaml else {
            StandardError.write("the app '\(app.id)' has no rules of its own since then")
            return
        }
        try StandardOutput.write(yaml + (yaml.hasSuffix("\n") ? "" : "\n"))
    }
}

struct ClearAppRulesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove the rules of an app: its links are read by those of every app.",
        discussion: "The versions are kept; 'tributary app rules show APP --version N' prints them."
    )

    @OptionGroup var app: NamedApp

    @OptionGroup var format: RecordFormat

    func run() async throws {
        let set = try await app.withStore { try await $0.setRules(nil, of: $1) }
        guard let set else {
            StandardError.write("nothing changes: the app has no rules of its own")
            return
        }
        Record([
            ("app_id", .string(app.id)), ("version", .number(Int64(set.version))),
            ("set_at", .string(set.setAt.rfc3339)), ("rules", .number(0)), ("refs", .list([])), ("page", .list([])),
        ]).print(as: format.form)
        AppRulesCommand.tellAboutHistory(of: app.id)
    }
}

/// A file in YAML that an option names.
enum YAMLFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - contents: what is in it, for messages.
    ///   - limit: the longest text that is taken, in bytes. A longer one is cut off a byte later.
    static func text(_ path: String, of contents: String, limit: Int) throws -> String {
        let data: Data
        if path == "-" {
            data = try FileHandle.standardInput.read(upToCount: limit + 1) ?? Data()
        } else {
            guard let contents = FileManager.default.contents(atPath: path) else {
                throw CommandFailure(.usage, "the \(contents) '\(path)' cannot be read")
            }
            data = contents
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure(.badData, "the \(contents) '\(path)' are not UTF-8")
        }
        return text
    }
}
