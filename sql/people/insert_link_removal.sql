-- Notes that the transaction at hand removes links of the app $1, and which events may have seen them still there: those of
-- transactions from $2 on (null: that have not ended now).
insert into link_removal (app_number, transaction_number, stored_from)
values ($1, current_transaction_number(), coalesce($2, transaction_horizon()))
returning transaction_number
