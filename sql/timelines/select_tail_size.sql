-- How many events of the app $1 are not packed, how many are, and how many links and stories have changed since.
with state as (
    select
        coalesce(max(packed_through), 0) as packed_through,
        coalesce(max(linked_through), 0) as linked_through,
        coalesce(max(events), 0) as events
    from timeline_state
    where app_number = $1
)
select
    (
        select count(*)
        from event
        where app_number = $1 and transaction_number >= (select packed_through from state)
    ),
    events,
    case
        when packed_through = 0 then 0
        else
            (
                select count(*)
                from device_link
                where app_number = $1 and transaction_number >= (select linked_through from state)
            )
            + (
                select count(*)
                from click_link
                where app_number = $1 and transaction_number >= (select linked_through from state)
            )
            + (
                select count(*)
                from changed_story
                where app_number = $1
            )
    end
from state
