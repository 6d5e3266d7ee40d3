/// A table of the schema, and what takes its rows away. **Whoever adds a table adds it to ``all``**: a test compares the
/// list with the database.
package struct StoredTable: Sendable {
    /// What a table holds, and so who deletes from it.
    package enum Content: Sendable {
        /// Rows that say something about a person. `PersonErasure`, `AppDeletion` and `RetentionRun` look after each of
        /// these tables by name.
        case facts
        /// Rows that were made from events and say something about a person.
        ///
        /// - Parameters:
        ///   - erase: removes, or marks for being made again, what was made from a person's events. It runs in the
        ///     transaction that deletes them, behind that. `$1` is the app's number; the temporary tables `erased_key`
        ///     and `erased_event` (`create_erased_tables.sql`) say of whom and of which events.
        ///   - expire: the same for what happened before a time: `$1` the time, `$2` the app's number, null for every app.
        case derived(erase: String, expire: String)
        /// Rows that hold events, encoded: `PackedTimelines` takes out those of a person and those that are too old.
        case packed
        /// Rows of an app that say nothing about a person: they go with the app.
        case app
        /// Rows that belong to no app and say nothing about a person.
        case service
    }

    package var name: String
    package var content: Content

    /// Whether its rows go with their app, by `app_number`.
    package var isOfAnApp: Bool {
        switch content {
        case .facts, .derived, .packed, .app: true
        case .service: false
        }
    }

    package static let all: [StoredTable] = [
        StoredTable(name: "event", content: .facts),
        StoredTable(name: "feed_post_key", content: .facts),
        StoredTable(name: "device_link", content: .facts),
        StoredTable(name: "click_link", content: .facts),
        StoredTable(name: "rejected_event", content: .facts),
        // Numbers of transactions.
        StoredTable(name: "link_removal", content: .app),
        // An id made at random and a time: it stays when its person is erased, so that no retry brings the event back.
        StoredTable(name: "event_key", content: .app),
        // Counts of the events that a period has, and nothing of whose they were. Without a person's events they are counted
        // anew; when events expire they stay, as history.
        StoredTable(
            name: "figures_state",
            content: .derived(
                erase: "select invalidate_figures($1::integer) where exists (select from erased_event)",
                expire: "select 1 where $1::timestamptz is null and $2::integer is null"
            )
        ),
        StoredTable(name: "stale_figures", content: .app),
        StoredTable(name: "figures_period", content: .app),
        StoredTable(name: "channel_figures", content: .app),
        StoredTable(name: "ref_figures", content: .app),
        StoredTable(name: "post_figures", content: .app),
        StoredTable(name: "attribution_figures", content: .app),
        StoredTable(name: "funnel_figures", content: .app),
        StoredTable(name: "retention_figures", content: .app),
        StoredTable(name: "bi_views", content: .service),
        // How far a file has been read, by hashes of it.
        StoredTable(name: "import_progress", content: .app),
        // The others go with it.
        StoredTable(name: "timeline_state", content: .app),
        StoredTable(name: "timeline_segment", content: .packed),
        // Hashes of stories and ids of posts that are gone, until they are applied to the segments.
        StoredTable(name: "changed_story", content: .packed),
        // Hashes.
        StoredTable(name: "erasure", content: .app),
        StoredTable(name: "api_key", content: .app),
        StoredTable(name: "app", content: .app),
        StoredTable(name: "deleted_app", content: .service),
        StoredTable(name: "deletion_receipt", content: .service),
        StoredTable(name: "schema_migration", content: .service),
        StoredTable(name: "transaction_generation", content: .service),
        StoredTable(name: "link_revision", content: .service),
        StoredTable(name: "database_identity", content: .service),
    ]
}
