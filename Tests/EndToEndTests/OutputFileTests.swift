import Foundation
import PostgresTesting
import Testing

/// What commands write has ids of people, or figures of an app: other users of the machine do not read it.
@Suite("Files of --output", .timeLimit(.minutes(10)))
struct OutputFileTests {
    /// Each command that writes a file, but for `demo`, whose people do not exist.
    private static let commands: [[String]] = [
        ["report", "breakdown", "--by", "poster"], ["report", "posts", "--each"],
        ["report", "channels", "--people", "touches"], ["question", "run", "q"], ["export", "people"],
        ["person", "export", "--user", "ann"],
    ]

    private static func names(_ command: CommandLineDescription.Command, _ path: [String] = []) -> [[String]] {
        let own = (command.arguments ?? []).contains { $0.spellings.contains("--output") } ? [path] : []
        return own + (command.subcommands ?? []).flatMap { names($0, path + [$0.commandName]) }
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func areForTheirOwner() async throws {
        let writing = Self.names(try CommandLineDescription.tributary.get().command).filter { $0 != ["demo"] }
        #expect(writing.allSatisfy { name in Self.commands.contains { $0.starts(with: name) } }, "\(writing)")
        try await TestDatabases.withSchema { database in
            let folder = FileManager.default.temporaryDirectory.appending(path: "output-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            func run(_ arguments: [String], input: String = "") async throws {
                let outcome = try await Programs.tributary(arguments, database: database.address, input: input)
                #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
            }
            try await run(["app", "create", "--id", "shop", "--name", "Shop"])
            let install = #"{"type":"install","user_id":"ann"}"#
            try await run(["import", "--app", "shop", "-"], input: install)
            try await run(["question", "save", "q", "--app", "shop", "--", "report", "breakdown", "--by", "poster"])
            for (number, command) in Self.commands.enumerated() {
                let file = "\(folder)/\(number)"
                try await run(command + ["--app", "shop", "--output", file])
                #expect(try Self.mode(file) == 0o600, "\(command)")
            }
            // Who lets others read the figures does so once.
            let file = "\(folder)/0"
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
            try await run(Self.commands[0] + ["--app", "shop", "--output", file])
            #expect(try Self.mode(file) == 0o640)
            // Ids of people stay with their owner.
            try await run(Self.commands[2] + ["--app", "shop", "--output", file])
            #expect(try Self.mode(file) == 0o600)
        }
    }
}
