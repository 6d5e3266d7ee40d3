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
        for app in apps {
            try connection.execute(Self.insertStories(ofMonth: name), [.int(Int64(app)), .int(horizon)])
        }
    }

    /// For the app $1, and posts of transactions from $2 on.
    private static func insertStories(ofMonth name: String) -> String {
        """
        with here as materialized (
            -- On the coordinator of a cluster: the number is its own.
            select current_transaction_number() as number
            from database_identity
        ),
        doomed as (
            select story_key, post_id
            from "\(name)"
            where app_number = $1
                and type = 'feed_post'
                and transaction_number >= $2
                and exists (
                    select
                    from timeline_state
                    where app_number = $1
                )
        )
        insert into changed_story (app_number, story, post_id, transaction_number)
        select $1::integer, story_key, null, here.number
        from doomed
        cross join here
        where story_key is not null
        union
        select $1::integer, story_of_post(post_id), post_id, here.number
        from doomed
        cross join here
        where post_id is not null
        on conflict (app_number, story) do update
            set transaction_number = greatest(changed_story.transaction_number, excluded.transaction_number)
        """
    }
}
