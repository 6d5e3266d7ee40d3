import Testing

@testable import Settings

@Suite("The connections of a report")
struct ReportSettingsTests {
    /// Never fewer than two, as before there was a setting.
    @Test(arguments: [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 3), (8, 4), (16, 8), (32, 16), (128, 16)])
    func followTheProcessors(processors: Int, connections: Int) async throws {
        let settings = try await SettingsReader(file: nil, environment: [:])
        #expect(try await ReportSettings(settings, processors: processors).connections == connections)
    }

    @Test(arguments: [("1", 1), ("16", 16)]) func areWhatIsSet(text: String, connections: Int) async throws {
        let settings = try await SettingsReader(file: nil, environment: ["TRIBUTARY_REPORT_CONNECTIONS": text])
        #expect(try await ReportSettings(settings, processors: 8).connections == connections)
    }

    @Test(arguments: ["0", "17", "many"]) func areOneToSixteen(text: String) async throws {
        let settings = try await SettingsReader(file: nil, environment: ["TRIBUTARY_REPORT_CONNECTIONS": text])
        await #expect(throws: SettingsError.self) { try await ReportSettings(settings, processors: 8) }
    }
}
