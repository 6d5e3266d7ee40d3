-- Claims the keys of a group's events: whoever inserts the key stores the event. Two writers with the same keys wait for one
-- another and not for each other, since keys come in their own order.
-- $1 app numbers, $2 event ids and $3 times of receipt, one of each for every event, ordered by app number and event id;
-- $4 the apps among them.
--
-- One row: the number of this transaction; the latest erasure of a person; the apps among $4 that have been deleted, of
-- which nothing is stored; how often links have been removed; and the keys that were free, as 4 + 16 bytes each, in the
-- order in which they came. There is no join, so that the plan is right for groups of every size.
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
    (select string_agg(int4send(app_number) || uuid_send(event_id), '') from fresh)
