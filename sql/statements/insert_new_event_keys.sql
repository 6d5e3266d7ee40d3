-- Claims the keys of a group that assumes that all its events are new. It is cheaper than insert_event_keys.sql by a
-- third, because one descent of the index searches and inserts a key. If a key is there already, the transaction fails
-- (23505, event_key_pkey). Two writers with the same keys wait in line, as in insert_event_keys.sql.
--
-- For every event, sorted by app number and event id: $1 app number, $2 event id, $3 time of receipt.
-- $4 the distinct apps.
--
-- Returns one row:
--   1. the number of this transaction
--   2. the time of the latest erasure of a person, in any app
--   3. the deleted apps among $4; nothing of them is stored
--   4. the revision of the links: how often links have been removed
--   5. the versions of the rules of the apps in $4, in their order; 0: the app has none
-- It fails if one of the apps moves to another database.
with claimed as (
    insert into event_key (app_number, event_id, received_at)
    select app_number, event_id, received_at
    from (select unnest($1::integer[]), unnest($2::uuid[]), unnest($3::timestamptz[]))
        as key (app_number, event_id, received_at)
    where app_number <> all (array(select app_number from deleted_app where app_number = any ($4::integer[])))
)
select
    current_transaction_number(),
    (select coalesce(max(erased_at), '-infinity') from erasure),
    array(select app_number from deleted_app where app_number = any ($4::integer[])),
    (select revision from link_revision where is_only_row),
    array(
        select coalesce((select max(version) from app_rules where app_rules.app_number = app.number), 0)
        from unnest($4::integer[]) with ordinality as app (number, place)
        order by place
    ),
    (
        select refuse_moving_app(app_number)
        from app_departure
        where app_number = any ($4::integer[])
            and barred_at is not null
        limit 1
    )
