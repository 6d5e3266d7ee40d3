-- Makes the foreign keys again that `prepare_distribution.sql` has dropped.
do $$
begin
    if not exists (select from pg_constraint where conname = 'timeline_segment_state_fkey') then
        alter table timeline_segment add constraint timeline_segment_state_fkey
            foreign key (app_number) references timeline_state on delete cascade;
    end if;
    if not exists (select from pg_constraint where conname = 'timeline_rebuild_state_fkey') then
        alter table timeline_rebuild add constraint timeline_rebuild_state_fkey
            foreign key (app_number) references timeline_state on delete cascade;
    end if;
    if not exists (select from pg_constraint where conname = 'changed_story_state_fkey') then
        alter table changed_story add constraint changed_story_state_fkey
            foreign key (app_number) references timeline_state on delete cascade;
    end if;
end
$$;

-- Citus begins the numbers of a table anew that it notes only because of its foreign keys. They go on behind the rows.
do $$
declare
    numbered record;
begin
    for numbered in
        select
            attrelid::regclass as rows,
            attname as field,
            pg_get_serial_sequence(attrelid::regclass::text, attname) as numbers
        from pg_attribute
        where attidentity <> ''
            and attrelid in (select logicalrelid from pg_dist_partition where partmethod = 'n')
    loop
        execute format(
            'select setval(%L, max(%I)) from %s having max(%I) >= (select last_value from %s)',
            numbered.numbers, numbered.field, numbered.rows, numbered.field, numbered.numbers
        );
    end loop;
end
$$;
