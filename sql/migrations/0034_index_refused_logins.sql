-- For: the logins that were not granted (sql/logins/count_refused_logins.sql). They are few, and timelines know no
-- errors.
create index event_refused_logins on event (app_number, occurred_at)
    where type = 'authentication' and login_outcome is not null;
