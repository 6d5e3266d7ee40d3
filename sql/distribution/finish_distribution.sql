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
