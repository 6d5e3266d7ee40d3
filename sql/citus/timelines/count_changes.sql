-- Counts the links and stories of the app $1 that have changed since its segments were written, and that a compaction
-- can apply now. Changes of transactions that may still be open are not counted, because they stay noted anyway. While
-- old events are being removed, stories are not counted: they stay noted until that is done.
--
-- The horizon is the coordinator's own, and must be older than the snapshots of workers.
with here as materialized (
    select transaction_horizon_of($1) as horizon
    from database_identity
),
state as materialized (
    select linked_through, removing_before, here.horizon
    from timeline_state
    cross join here
    where app_number = $1
        and packed_through > 0
)
select coalesce(
    (
        select (
                select count(*)
                from device_link
                where app_number = $1 and transaction_number >= linked_through and transaction_number < horizon
            )
            + (
                select count(*)
                from click_link
                where app_number = $1 and transaction_number >= linked_through and transaction_number < horizon
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
