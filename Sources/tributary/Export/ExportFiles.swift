import Time
import Postgres
import Reporting
import Storage

/// Runs an export into its files. When all are written, they appear in this order: the data, the manifest, the cursor.
/// So a cursor never points past data that is missing.
struct ExportFiles: Sendable {
    /// Nil for standard output.
    var output: String?
    var manifest: String?
    var cursor: String?
    var showsProgress: Bool

    struct Outcome: Sendable {
        var summary: ExportSummary
        var byteCount: Int
        /// What the export contains at least, if a standby answered.
        var standby: StandbyPosition?
    }

    /// Ctrl-C leaves no partial file. An export to standard output simply ends.
    func runUnlessInterrupted(_ request: ExportRequest, on pool: PostgresPool) async throws -> Outcome {
        guard output != nil else { return try await run(request, on: pool) }
        return try await Interruption.cancels(saying: "no file was written") { try await run(request, on: pool) }
    }

    private func run(_ request: ExportRequest, on pool: PostgresPool) async throws -> Outcome {
        try await pool.withConnection { connection in
            // Open all files first: a path that cannot be written should fail before hours of reading.
            let data = try output.map { try WholeFile(path: $0, option: "--output", keepsMode: false) }
            let manifest = try manifest.map { try WholeFile(path: $0, option: "--manifest") }
            let cursor = try cursor.map { try WholeFile(path: $0, option: "--cursor-file") }

            var destination = ExportDestination(
                file: data,
                isHashed: manifest != nil,
                progress: Progress(isShown: showsProgress)
            )
            defer { destination.finishProgress() }
            let standby = try StandbyPosition.read(connection)
            // The transaction ends before the files are synced, which may take longer than a transaction may be idle.
            let summary = try connection.transaction(isolation: .repeatableRead, readOnly: true) {
                try ExportRunner.run(request, on: connection, to: &destination)
            }
            try data?.sync()
            if let manifest {
                let text = ExportManifest(
                    request: request,
                    summary: summary,
                    file: data.map { Self.name(of: $0.path) },
                    byteCount: destination.byteCount,
                    sha256: destination.sha256,
                    finishedAt: Timestamp.now,
                    standby: standby
                ).text
                try manifest.write(text)
                try manifest.sync()
            }
            if let cursor, let next = summary.cursor {
                try cursor.write("\(next)\n")
                try cursor.sync()
            }
            try data?.place()
            try manifest?.place()
            try cursor?.place()
            return Outcome(summary: summary, byteCount: destination.byteCount, standby: standby)
        }
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
