import ArgumentParser
import EmbeddedPostgres
import Foundation
import Postgres
import Settings
import Storage

/// The ids of the apps, which shells offer. Nothing is started for them: if the database cannot be reached at once,
/// there are none.
enum AppIDs {
    static let completion = CompletionKind.custom { words, _, _ in await all(for: words) }

    /// Seconds after which the shell gets no ids.
    private static let patience: UInt32 = 2

    /// - Parameter words: the command line so far.
    private static func all(for words: [String]) async -> [String] {
        // Nothing else ends the search for the address of a host.
        signal(SIGALRM) { _ in _exit(0) }
        alarm(patience)
        defer { alarm(0) }
        guard let address = await address(for: words) else { return [] }
        let pool = PostgresPool(
            address: address,
            size: 1,
            applicationName: "tributary",
            options: PostgresOptions(connectTimeout: .seconds(1), statementTimeout: .seconds(1))
        )
        let apps = try? await AppStore(pool: pool).list()
        await pool.close()
        return (apps ?? []).map(\.profile.id)
    }

    /// The database, if it runs.
    private static func address(for words: [String]) async -> PostgresAddress? {
        guard let settings = try? await SettingsReader(file: value(of: "--config", in: words)),
            let place = try? await NamedDatabase.chosen(by: value(of: "--database", in: words), settings).place
        else { return nil }
        switch place {
        case .named(let url): return try? PostgresAddress(url)
        case .embedded(let home):
            guard case .running(let address, _) = EmbeddedPostgres(home: home).status() else { return nil }
            return address
        }
    }

    /// The value of an option in words that the shell has not unquoted.
    private static func value(of option: String, in words: [String]) -> String? {
        var value: Substring?
        if let index = words.firstIndex(of: option), index + 1 < words.count { value = words[index + 1][...] }
        let start = option + "="
        if let word = words.first(where: { $0.hasPrefix(start) }) { value = word.dropFirst(start.count) }
        guard let value, !value.isEmpty else { return nil }
        if let quote = value.first, quote == "'" || quote == "\"", value.count > 1, value.last == quote {
            return String(value.dropFirst().dropLast())
        }
        return String(value)
    }
}
