-- Claims the keys of a group's events: the transaction that inserts a key stores the event. The keys are sorted, so two
-- writers with the same keys wait in line and never deadlock.
--
-- For every event, sorted by app number and event id: $1 app number, $2 event id, $3 time of receipt.
-- $4 the distinct apps.
--
-- Returns one row:
--   1. the number of this transaction
--   2. the time of the latest erasure of a person, in any app
--   3. the deleted apps among $4; nothing of them is stored
--   4. the revision of the links: how often links have been removed
--   5. the new keys in their order, as 4 + 16 bytes each
--   6. the versions of the rules of the apps in $4, in their order; 0: the app has none
--   7. keys that were received before this time may be missing (`event_key_set`)
-- It fails if one of the apps moves to another database.
-- It joins nothing, so that the plan is right for groups of every size.
with fresh as (
    insert into event_key (app_number, event_id, received_at)
    select app_number, event_id, received_at
    from (select unnest($1::integer[]), unnest($2::uuid[]), unnest($3::timestamptz[]))
        as key (app_number, event_id, received_at)
    where app_number <> all (array(select app_number from deleted_app where app_number = any ($4::integer[])))
    on conflict do nothing
    returning app_number, event_id
)
select
    current_transaction_number(),
    (select coalesce(max(erased_at), '-infinity') from erasure),
    array(select app_number from deleted_app where app_number = any ($4::integer[])),
    (select revision from link_revision where is_only_row),
    -- On a cluster, they come shard by shard, so they are sorted.
    (select string_agg(int4send(app_number) || uuid_send(event_id), '') from fresh),
    --citus (select string_agg(int4send(app_number) || uuid_send(event_id), '' order by app_number, event_id) from fresh),
    array(
        select coalesce((select max(version) from app_rules where app_rules.app_number = app.number), 0)
        from unnest($4::integer[]) with ordinality as app (number, place)
        order by place
    ),
    (select kept_from from event_key_set),
    (
        select refuse_moving_app(app_number)
        from app_departure
        where app_number = any ($4::integer[])
            and barred_at is not null
        limit 1
    )
