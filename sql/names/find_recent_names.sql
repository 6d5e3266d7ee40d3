-- For each of some values, whether one of the app's newest events has it (docs/reports.md, *Names that occur nowhere*).
--   $1 app number, $2 how many events, $3 kinds, $4 values, $5 whether each is a prefix
with newest as materialized (
    select
        goal, refs, referer_app, target_url, short_link, app_version, country, language, type, user_id, outcome, post_id,
        story_key
    from event
    where app_number = $1
        and test_traffic is not true
    order by occurred_at desc
    limit $2
)
select exists (
    select
    from newest
    where case asked.kind
        when 'goal' then newest.goal = asked.value
        when 'ref' then asked.value = any (newest.refs)
        when 'referer_app' then newest.referer_app = asked.value
        when 'target_url' then
            case when asked.is_prefix = 'true' then starts_with(newest.target_url, asked.value)
                else newest.target_url = asked.value
            end
        when 'link' then newest.short_link = asked.value
        when 'app_version' then newest.app_version = asked.value
        when 'country' then newest.country = asked.value
        when 'language' then newest.language = asked.value
        -- A device or a click may belong to a user, who is then the poster. A post that was cancelled has none.
        when 'poster' then newest.type = 'feed_post'
            and newest.user_id = asked.value
            and (
                newest.outcome = 'posted'
                or newest.post_id is not null
                or is_story_post(newest.outcome) and newest.story_key is not null
            )
    end
)
from unnest($3::text[], $4::text[], $5::text[]) with ordinality as asked (kind, value, is_prefix, position)
order by asked.position
