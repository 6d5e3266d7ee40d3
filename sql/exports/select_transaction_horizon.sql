-- The transaction at which an incremental export ends and the next one begins.
select transaction_horizon()
