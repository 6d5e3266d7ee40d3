import Foundation
import Testing

@testable import Settings

@Suite("Several databases in the settings")
struct NamedDatabaseTests {
    private static let main = DatabaseSettings.named("postgresql://main/x")

    private static func reader(_ yaml: String, _ environment: [String: String] = [:]) async throws -> SettingsReader {
        let file = FileManager.default.temporaryDirectory.appending(path: "databases-\(UUID()).yaml")
        try Data(yaml.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await SettingsReader(file: file.path, environment: environment)
    }

    private static func all(_ yaml: String, _ environment: [String: String] = [:]) async throws -> [String] {
        try NamedDatabase.all(main: main, await reader(yaml, environment)).map { database in
            guard case .named(let url) = database.place else { return database.name }
            return "\(database.name) \(url)"
        }
    }

    private static let file = "databases:\n  games: postgresql://games/x\n  big-2: host=big dbname=x\n"

    @Test func areInTheOrderOfTheFile() async throws {
        #expect(
            try await Self.all(Self.file)
                == ["main postgresql://main/x", "games postgresql://games/x", "big-2 host=big dbname=x"]
        )
        #expect(try await Self.all("databases:\n#  games: postgresql://games/x\n") == ["main postgresql://main/x"])
        #expect(try await Self.all("port: 1\n") == ["main postgresql://main/x"])
    }

    @Test func areThoseOfTheEnvironmentIfItNamesSome() async throws {
        let text = " a=postgresql://a/x?sslmode=require ;\n\n b=host=/tmp port=1\n"
        #expect(
            try await Self.all(Self.file, ["TRIBUTARY_DATABASES": text])
                == ["main postgresql://main/x", "a postgresql://a/x?sslmode=require", "b host=/tmp port=1"]
        )
        #expect(try await Self.all(Self.file, ["TRIBUTARY_DATABASES": ""]).count == 1)
    }

    @Test(arguments: [
        ("databases: postgresql://a/x\n", "line 1: databases has a line 'name: text' for each"),
        ("databases:\n  a: [b]\n", "line 1: databases has a line 'name: text' for each"),
        ("databases:\n  Games: b\n", "databases has a name that is refused"),
        ("databases:\n  -a: b\n", "databases has a name that is refused"),
        // It would be in the way of the spool of `main`, and of the host 10.0.0.1.
        ("databases:\n  spool-1: b\n", "databases has a name that is refused"),
        ("databases:\n  10: b\n", "databases has a name that is refused"),
        ("databases:\n  main: b\n", "databases has the name main twice"),
    ])
    func haveNamesThatCanBeHosts(yaml: String, message: String) async throws {
        let error = await #expect(throws: SettingsError.self) { _ = try await Self.all(yaml) }
        #expect("\(try #require(error))".contains(message))
    }

    private static func standbys(_ yaml: String, _ environment: [String: String] = [:]) async throws -> [String] {
        let reader = try await Self.reader(yaml, environment)
        var standbys: [String] = []
        for database in try NamedDatabase.all(main: main, reader) {
            let standby = try await database.standby(reader).map { "\($0)" }
            standbys.append("\(database.name) \(standby ?? "none")")
        }
        return standbys
    }

    @Test func haveStandbysOfTheirOwn() async throws {
        #expect(try await Self.standbys(Self.file) == ["main none", "games none", "big-2 none"])
        let (one, two) = ("url: postgresql://r@one/x", "big-2: postgresql://r@two/x")
        let standby = "report:\n  database:\n    \(one)\n  databases:\n    \(two)\n"
        let expected = ["main postgresql://r@one:5432/x", "games none", "big-2 postgresql://r@two:5432/x"]
        #expect(try await Self.standbys(Self.file + standby) == expected)
        // Those of the environment take the place of all in the file.
        let variables = ["TRIBUTARY_REPORT_DATABASES": "games=postgresql://r@three/x"]
        let others = ["main postgresql://r@one:5432/x", "games postgresql://r@three:5432/x", "big-2 none"]
        #expect(try await Self.standbys(Self.file + standby, variables) == others)
    }

    @Test(arguments: [
        ("main=postgresql://a/x", "has the name main; its standby is the one of report.database.url"),
        ("games=host=a;games=host=b", "has the name games twice, or databases has it not"),
        ("game=postgresql://a/x", "has the name game twice, or databases has it not"),
        ("postgresql://a/x", "must be a list such as name=text;name=text"),
    ])
    func haveStandbysOfTheirNamesAlone(text: String, message: String) async throws {
        let error = await #expect(throws: SettingsError.self) {
            _ = try await Self.standbys(Self.file, ["TRIBUTARY_REPORT_DATABASES": text])
        }
        #expect("\(try #require(error))".contains("TRIBUTARY_REPORT_DATABASES " + message))
    }

    @Test func areChosenByTheirNames() async throws {
        let reader = try await Self.reader(Self.file, ["TRIBUTARY_DATABASE_URL": "postgresql://main/x"])
        for (flag, name, place) in [
            ("main", "main", Self.main), ("games", "games", .named("postgresql://games/x")),
            ("postgresql://other/x", "main", .named("postgresql://other/x")),
        ] {
            let chosen = try await NamedDatabase.chosen(by: flag, reader)
            #expect(chosen == NamedDatabase(name: name, place: place))
        }
        for (flag, message) in [
            (nil, "choose one with --database: main, games, big-2"), ("game", "called game; there are main"),
        ] as [(String?, String)] {
            let error = await #expect(throws: SettingsError.self) {
                _ = try await NamedDatabase.chosen(by: flag, reader)
            }
            #expect("\(try #require(error))".contains(message))
        }
    }

    @Test func needNoChoiceIfThereIsOne() async throws {
        let reader = try await Self.reader("", ["TRIBUTARY_DATABASE_URL": "postgresql://main/x"])
        let chosen = try await NamedDatabase.chosen(by: nil, reader)
        #expect(chosen == NamedDatabase(name: "main", place: Self.main))
        let named = try await NamedDatabase.chosen(by: "postgresql://other/x", reader)
        #expect(named.place == .named("postgresql://other/x"))
    }

    @Test func haveASpoolAndADashboardOfTheirOwn() async throws {
        let settings = try await Self.reader(
            Self.file + "spool:\n  folder: /s\ndashboard:\n  url: https://stats.example.com\n"
        )
        let all = try NamedDatabase.all(main: Self.main, settings)
        var folders: [String] = []
        for database in all { folders.append(try await SpoolSettings(settings, of: database).folder) }
        #expect(folders == ["/s", "/s/games", "/s/big-2"])
        let sending = try await SendingSettings(settings)
        #expect(
            all.map { sending.of($0).dashboard } == [
                "https://stats.example.com", "https://games.stats.example.com", "https://big-2.stats.example.com",
            ]
        )
    }
}
