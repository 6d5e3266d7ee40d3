-- How many links and stories of the app $1 have changed since its segments were written, and can be applied: those of
-- transactions that may still be open stay noted whatever is done. While old events are being removed, the stories are not
-- counted: they stay noted until that is done.
--
-- By transaction: `+ 0` keeps the index of app and device away, by which all of the app's links would be read every few seconds
-- (`delta.sql`). Materialized, or the horizon would be asked for at every link.
with state as materialized (
    select linked_through, removing_before, transaction_horizon() as horizon
    from timeline_state
    where app_number = $1
        and packed_through > 0
)
select coalesce(
    (
        select (
                select count(*)
                from device_link
                where app_number + 0 = $1 and transaction_number >= linked_through and transaction_number < horizon
            )
            + (
                select count(*)
                from click_link
                where app_number + 0 = $1 and transaction_number >= linked_through and transaction_number < horizon
            )
            + (
                select count(*)
                from changed_story
                where app_number = $1 and transaction_number < horizon and removing_before is null
            )
        from state
    ),
    0
)
