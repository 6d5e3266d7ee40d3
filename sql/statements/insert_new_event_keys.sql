-- Claims the keys of a group of events none of which is believed to have been stored: cheaper than insert_event_keys.sql by
-- a third, because each key is looked for and inserted in one descent of the index. A key that is there after all ends the
-- transaction (23505, event_key_pkey). Two writers with the same keys wait for one another, as there.
-- $1 app numbers, $2 event ids and $3 times of receipt, one of each for every event, ordered by app number and event id;
-- $4 the apps among them.
--
-- One row: the number of this transaction; the latest erasure of a person; the apps among $4 that have been deleted, of
-- which nothing is stored; and how often links have been removed.
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
    (select revision from link_revision where is_only_row)
