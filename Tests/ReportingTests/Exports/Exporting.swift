import Events
import Time
import Postgres
@testable import Reporting
import Storage

/// Runs exports for tests.
enum Exporting {
    struct TextSink: ExportSink {
        var bytes: [UInt8] = []

        mutating func write(_ text: UnsafeRawBufferPointer, rows: Int) {
            bytes.append(contentsOf: text)
        }
    }

    static func request(
        _ name: String,
        _ parameters: [(name: String, value: String)] = [],
        app: App = Asking.app(),
        now: Timestamp = OracleEvents.time(100 * OracleEvents.day)
    ) throws(ReportError) -> ExportRequest {
        try ExportRequest.parse(name: name, parameters: parameters, app: app, now: now)
    }

    /// An export from a database.
    static func text(
        _ request: ExportRequest,
        on pool: PostgresPool
    ) async throws -> (text: String, summary: ExportSummary) {
        try await pool.withTransaction(isolation: .repeatableRead, readOnly: true) { connection in
            var sink = TextSink()
            let summary = try ExportRunner.run(request, on: connection, to: &sink)
            return (String(decoding: sink.bytes, as: UTF8.self), summary)
        }
    }

    /// An export of events in memory. Only for exports of timelines.
    static func text(_ request: ExportRequest, of events: [Event]) throws -> String {
        guard let export = request.export as? any TimelineExport else { return "" }
        var sink = TextSink()
        var rows = ExportRowWriter(columns: request.columns, format: request.format)
        rows.header()
        try ExportRunner.write(
            export,
            request,
            of: MemoryTimelines(events, query: request.query(of: export)),
            tellsDeleted: false,
            through: &rows,
            to: &sink
        )
        return String(decoding: sink.bytes + rows.bytes, as: UTF8.self)
    }
}
