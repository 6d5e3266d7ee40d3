-- Where a group of events lands by COPY before it is stored: the columns of `event`, and the place in the group.
-- COPY knows no "on conflict"; a temporary table costs no WAL.
create temporary table if not exists stage (
    ordinal integer not null,
    like event
) on commit delete rows
