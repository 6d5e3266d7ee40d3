import Postgres
import Storage

extension TimelinePacker {
    /// Packs all events again if events that are packed have been redacted since (`timeline_state.must_rebuild`).
    /// Reports use the old segments until then.
    ///
    /// - Returns: whether there was anything to do.
    @discardableResult
    package func rebuildIfMarked() async throws -> Bool {
        guard try await isMarked() else { return false }
        // Another program may do it while this one waits.
        try await whileAlone { if try await isMarked() { try await rebuildMarked() } }
        return true
    }

    private func rebuildMarked() async throws {
        if try await pool.withConnection({ try TimelineState.read(app: app.number, locking: false, on: $0) })?.isEmpty
            == false
        {
            try await rebuildAlone()
        }
        try await pool.withConnection { connection in
            try connection.transaction {
                try connection.execute("update timeline_state set must_rebuild = false where app_number = $1", [number])
                // Meanwhile figures may have been computed from the old segments, and webhooks have told of them.
                try connection.execute("select invalidate_figures($1::integer)", [number])
                try RedactionStore.markWebhookEvents(of: app.number, on: connection)
            }
        }
    }

    private func isMarked() async throws -> Bool {
        try await pool.withConnection { connection in
            try connection.query(
                "select exists (select from timeline_state where app_number = $1 and must_rebuild)",
                [number]
            )[0].bool(0)
        }
    }
}
