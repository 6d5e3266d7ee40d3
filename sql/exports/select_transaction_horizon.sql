-- What an incremental export reads up to, and where the next one begins.
select transaction_horizon()
