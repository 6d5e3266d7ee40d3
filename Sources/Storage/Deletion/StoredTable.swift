/// A table of the schema, and how its rows are deleted. **A new table must be added to ``all``**: a test compares the
/// list with the database.
package struct StoredTable: Sendable {
    /// What a table holds. This decides how its rows are deleted.
    package enum Content: Sendable {
        /// Rows that say something about a person. `PersonErasure`, `AppDeletion` and `RetentionRun` name each of these
        /// tables.
        case facts
        /// Rows that are derived from events and say something about a person.
        ///
        /// - Parameters:
        ///   - erase: a statement that deletes the rows derived from a person's events, or marks them as stale. It runs
        ///     in the transaction that deletes the events, after them: once for each piece of the events and once for
        ///     the person's keys. `$1` is the app's number, `$2` the keys (`text[]`, as reports write them), `$3` the
        ///     ids of the events (`text[]`).
        ///   - expire: the same for events before a time. `$1` is the time, `$2` the app's number, null for every app.
        case derived(erase: String, expire: String)
        /// Rows that hold encoded events. `PackedTimelines` removes those of a person and those that are too old.
        case packed
        /// Rows of an app that say nothing about a person. They are deleted with the app.
        case app
        /// Rows that belong to no app and say nothing about a person of an app.
        case service
    }

    /// Where a table is in a Citus cluster (``Distribution``).
    package enum Placement: Sendable {
        /// Each app's rows on the app's worker.
        case worker
        /// All rows on every node, so that tables of the workers can refer to them.
        case everyNode
        case coordinator
    }

    /// How a table's rows move with their app to another database (``AppMove``).
    package enum Moving: Sendable {
        /// Round by round, while the app goes on.
        case events
        /// With the events.
        case keys
        /// Round by round, after the events.
        case links
        /// At the switch, all rows of the app. Numbers that the database makes become others.
        case whole
        /// The same, before all others.
        case first
        /// By their addresses.
        case users
        /// Not at all: made again from the events.
        case anew
        /// Not at all: rows belong to the database.
        case stays
    }

    package var name: String
    package var content: Content
    package var moves: Moving
    package var placement: Placement

    /// - Parameter placement: default: on the app's worker, if the rows are of an app; else on the coordinator.
    package init(name: String, content: Content, moves: Moving, placement: Placement? = nil) {
        self.name = name
        self.content = content
        self.moves = moves
        self.placement = .coordinator
        self.placement = placement ?? (isOfAnApp ? .worker : .coordinator)
    }

    /// The table that the others are placed with: rows of an app are on one worker in all of them.
    static let first = "event_key"

    /// The order in which tables can be placed: first what others refer to.
    var order: Int {
        switch name {
        case "app": 0
        case Self.first: 1
        case "timeline_state": 2
        default: 3
        }
    }

    /// Whether its rows have an `app_number` and are deleted with their app.
    package var isOfAnApp: Bool {
        switch content {
        case .facts, .derived, .packed, .app: true
        case .service: false
        }
    }

    package static let all: [StoredTable] = [
        StoredTable(name: "event", content: .facts, moves: .events),
        StoredTable(name: "feed_post_key", content: .facts, moves: .keys),
        StoredTable(name: "device_link", content: .facts, moves: .links),
        StoredTable(name: "click_link", content: .facts, moves: .links),
        // Goes with its click, and when nobody can use the code any more (`CarryCode.lifetime`).
        StoredTable(
            name: "click_code_use",
            content: .derived(
                erase: """
                    delete from click_code_use
                    where app_number = $1 and click_id = any ($3::text[]::uuid[]) and $2::text[] is not null
                    """,
                expire: StoredSQL.deleteOldCodeUses
            ),
            moves: .whole,
            placement: .coordinator
        ),
        StoredTable(name: "rejected_event", content: .facts, moves: .whole),
        // Holds only numbers of transactions.
        StoredTable(name: "link_removal", content: .app, moves: .whole, placement: .coordinator),
        // A random id and a time. It stays when its person is erased, so that no retry brings the event back. While
        // keys are renewed, `event_key_next` has them too.
        StoredTable(name: "event_key", content: .app, moves: .keys),
        StoredTable(name: "event_key_set", content: .service, moves: .stays),
        // Counts of a period's events that do not say whose events they were. When a person is erased they are counted
        // again. When events expire they stay, as history.
        StoredTable(
            name: "figures_state",
            content: .derived(
                erase: """
                    select invalidate_figures($1::integer)
                    where cardinality($3::text[]) > 0 and $2::text[] is not null
                    """,
                expire: "select 1 where $1::timestamptz is null and $2::integer is null"
            ),
            moves: .whole
        ),
        StoredTable(name: "stale_figures", content: .app, moves: .whole),
        StoredTable(name: "figures_period", content: .app, moves: .whole),
        // Sums of hashes.
        StoredTable(name: "figures_digest", content: .app, moves: .whole),
        StoredTable(name: "channel_figures", content: .app, moves: .whole),
        StoredTable(name: "ref_figures", content: .app, moves: .whole),
        StoredTable(name: "post_figures", content: .app, moves: .whole),
        StoredTable(name: "attribution_figures", content: .app, moves: .whole),
        StoredTable(name: "property_figures", content: .app, moves: .whole),
        StoredTable(name: "funnel_figures", content: .app, moves: .whole),
        StoredTable(name: "retention_figures", content: .app, moves: .whole),
        StoredTable(name: "viral_figures", content: .app, moves: .whole),
        StoredTable(name: "activity_figures", content: .app, moves: .whole),
        StoredTable(name: "bi_views", content: .service, moves: .stays),
        // How far a file has been imported. Holds only hashes of the file.
        StoredTable(name: "import_progress", content: .app, moves: .whole, placement: .coordinator),
        // Deleting its row deletes the other packed tables' rows.
        StoredTable(name: "timeline_state", content: .app, moves: .anew),
        StoredTable(name: "timeline_segment", content: .packed, moves: .anew),
        StoredTable(name: "timeline_rebuild", content: .packed, moves: .anew),
        // Hashes of stories and ids of deleted posts, until the segments are updated.
        StoredTable(name: "changed_story", content: .packed, moves: .anew),
        // Holds only hashes. Writers ask it for every app at once.
        StoredTable(name: "erasure", content: .app, moves: .whole, placement: .coordinator),
        // Short links are found by their hosts, not by their apps.
        StoredTable(name: "link", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "link_host", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "link_hits", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "link_table_revision", content: .service, moves: .stays),
        // Names of reports and their parameters.
        StoredTable(name: "question", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "webhook", content: .app, moves: .whole, placement: .coordinator),
        // What was told of events, and of the people whose posts brought them. Events that a deletion concerns are told
        // again.
        StoredTable(
            name: "webhook_event",
            content: .derived(
                erase: StoredSQL.eraseWebhookEvents,
                expire: """
                    delete from webhook_event
                    where occurred_at < $1::timestamptz and ($2::integer is null or app_number = $2)
                    """
            ),
            moves: .whole
        ),
        StoredTable(
            name: "webhook_person_key",
            content: .derived(erase: StoredSQL.eraseWebhookKeys, expire: StoredSQL.expireWebhookKeys),
            moves: .whole
        ),
        StoredTable(
            name: "webhook_delivery",
            content: .derived(
                erase: """
                    delete from webhook_delivery
                    where app_number = $1
                        and (
                            event_id = any ($3::text[]::uuid[])
                            or exists (select from unnest(mentioned) as name where name = any ($2::text[]))
                        )
                    """,
                expire: """
                    delete from webhook_delivery
                    where occurred_at < $1::timestamptz and ($2::integer is null or app_number = $2)
                    """
            ),
            moves: .whole
        ),
        // When questions are sent, and where to. They are deleted with their question.
        StoredTable(name: "question_schedule", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "question_run", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "note", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "exchange_rate", content: .app, moves: .whole, placement: .coordinator),
        // Names of refs, channels and short links, and amounts.
        StoredTable(name: "cost", content: .app, moves: .whole, placement: .coordinator),
        // Keys are found by their hashes.
        StoredTable(name: "api_key", content: .app, moves: .whole, placement: .coordinator),
        // An entry may name a person, such as one of a question about them; `PersonErasure` hides the ids.
        // `AppDeletion` deletes the entries of an app. No foreign key does, which would lock the app while a person is
        // erased.
        StoredTable(name: "change_log", content: .service, moves: .whole),
        // Holds only hashes. Deleting a key or a user deletes its sessions.
        StoredTable(name: "dashboard_session", content: .service, moves: .stays),
        // Who signs in to the dashboard is no person of an app. `AppDeletion` deletes users without any app left.
        StoredTable(name: "dashboard_user", content: .service, moves: .users),
        StoredTable(name: "dashboard_role", content: .app, moves: .users, placement: .coordinator),
        // The links of invitations are good here alone.
        StoredTable(name: "dashboard_invitation", content: .app, moves: .stays, placement: .coordinator),
        StoredTable(name: "shared_page", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "app_secret", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "app_rules", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "app_property", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "reread", content: .app, moves: .whole, placement: .coordinator),
        StoredTable(name: "app", content: .app, moves: .first, placement: .everyNode),
        StoredTable(name: "deleted_app", content: .service, moves: .stays),
        StoredTable(name: "deletion_receipt", content: .service, moves: .stays),
        StoredTable(name: "schema_migration", content: .service, moves: .stays),
        StoredTable(name: "transaction_generation", content: .service, moves: .stays),
        StoredTable(name: "link_revision", content: .service, moves: .stays),
        StoredTable(name: "database_identity", content: .service, moves: .stays),
        StoredTable(name: "outgoing", content: .service, moves: .stays),
        // Which apps move to another database, and which come from one.
        StoredTable(name: "app_departure", content: .service, moves: .stays),
        StoredTable(name: "app_arrival", content: .service, moves: .stays),
        StoredTable(name: "app_origin", content: .service, moves: .whole),
    ]
}
