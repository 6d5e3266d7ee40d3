-- How a login ended. Only a granted login authenticates a person.

create type login_outcome as enum ('granted', 'cancelled', 'denied', 'failed');

-- Null for a granted login: so all that are stored already need not be written again. The URL and the error of a login
-- have the columns that callbacks of dialogs have.
alter table event add column login_outcome login_outcome;
