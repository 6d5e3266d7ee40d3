-- Notes that an app ($1) moves to the database $2. No row: it moves to another one.
insert into app_departure as known (app_number, target)
values ($1, $2::text::uuid)
on conflict (app_number) do update set target = known.target
where known.target = excluded.target
returning moved_at is not null
