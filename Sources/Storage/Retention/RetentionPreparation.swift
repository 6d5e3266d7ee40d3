import Postgres

/// What packed timelines know of a removal before anything is deleted.
struct RetentionPreparation {
    /// The apps that have old events.
    var apps: [Int32]
    /// The preparation has noted the stories of posts of transactions below this one (`changed_story`). A later post
    /// that is deleted too may have given its refs to touches that were packed in between, so its story must be noted
    /// as well.
    var horizon: Int64

    /// Notes the stories of later posts in a detached month, before the month is dropped.
    func noteStories(ofMonth name: String, on connection: isolated PostgresConnection) throws {
        guard !apps.isEmpty else { return }
        try connection.execute(
            Self.insertStories(ofMonth: name),
            [.intArray(apps.map { Int64($0) }), .int(horizon)]
        )
    }

    /// For the apps $1, and posts of transactions from $2 on.
    private static func insertStories(ofMonth name: String) -> String {
        """
        with doomed as (
            select app_number, story_key, post_id
            from "\(name)"
            join timeline_state using (app_number)
            where app_number = any ($1::bigint[])
                and type = 'feed_post'
                and transaction_number >= $2
        )
        insert into changed_story (app_number, story, post_id, transaction_number)
        select app_number, story_key, null, current_transaction_number()
        from doomed
        where story_key is not null
        union
        select app_number, story_of_post(post_id), post_id, current_transaction_number()
        from doomed
        where post_id is not null
        on conflict (app_number, story) do update
            set transaction_number = greatest(changed_story.transaction_number, excluded.transaction_number)
        """
    }
}
