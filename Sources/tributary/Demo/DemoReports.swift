import Foundation
import Time
import Postgres
import Reporting
import Storage

/// The reports after the demo: some are printed, all are written as CSV.
struct DemoReports: Sendable {
    private static let printed = ["channels", "refs", "funnel", "installs", "links"]

    let pool: PostgresPool
    let app: App
    let folder: URL

    /// - Returns: the names of the files that were written.
    func run() async throws -> [String] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure(.badData, "cannot create the folder \(folder.path)")
        }
        let now = Timestamp.now
        var files: [String] = []
        for name in Self.printed + ReportCatalogue.names.filter({ !Self.printed.contains($0) }) {
            guard let request = try request(name, now: now) else { continue }
            let result = try await ReportRunner.run(request, on: pool, connections: pool.size)
            if Self.printed.contains(name) { print("\n" + result.text(as: .table), terminator: "") }
            let file = folder.appending(path: "\(name).csv")
            do {
                try Data(result.text(as: .csv).utf8).write(to: file, options: .atomic)
            } catch {
                throw CommandFailure(.badData, "cannot write \(file.path)")
            }
            files.append(file.lastPathComponent)
        }
        return files
    }

    /// Nil for a report that needs parameters.
    private func request(_ name: String, now: Timestamp) throws -> ReportRequest? {
        do {
            return try ReportRequest.parse(name: name, parameters: [], origin: .commandLine, app: app, now: now)
        } catch {
            if Self.printed.contains(name) { throw error }
            return nil
        }
    }
}
