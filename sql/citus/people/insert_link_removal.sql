-- Notes that this transaction removes links of the app $1. Writers of events in transactions from $2 on may still have
-- seen the links (null: transactions that have not ended now).
-- Counts the removal in `link_revision`, which a trigger does on one machine.
with counted as (
    update link_revision set revision = revision + 1
)
insert into link_removal (app_number, transaction_number, stored_from)
values ($1, current_transaction_number(), coalesce($2, transaction_horizon_of($1)))
returning transaction_number
