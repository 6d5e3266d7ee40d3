-- Whoever stores an event while the link of its device or click is being removed has seen the link still there, and adds none. So
-- what events say that came in meanwhile is said once more, after the removal. Noted here by the transaction that removes, until
-- it has been said: if the program is killed before, by whoever removes next.
create table link_removal (
    app_number integer not null,
    -- That removed the links.
    transaction_number bigint not null,
    -- The events may be of transactions from this one on.
    stored_from bigint not null,
    constraint link_removal_pkey primary key (app_number, transaction_number)
);
