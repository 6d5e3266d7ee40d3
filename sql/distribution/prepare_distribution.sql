-- Changes what Citus cannot have on distributed tables. All of it may have been done before.

-- Triggers. The statements that remove links count `link_revision` themselves (`sql/citus/people`).
do $$
begin
    if exists (select from pg_trigger where tgname = 'device_link_removal' and tgrelid = 'device_link'::regclass) then
        drop trigger device_link_removal on device_link;
    end if;
    if exists (select from pg_trigger where tgname = 'click_link_removal' and tgrelid = 'click_link'::regclass) then
        drop trigger click_link_removal on click_link;
    end if;
end
$$;

-- A key must hold the app. Ids of dead letters are random, so no two are equal anyway.
do $$
begin
    if (
        select count(*) from pg_index where indexrelid = 'rejected_event_pkey'::regclass and indnkeyatts = 1
    ) > 0 then
        alter table rejected_event drop constraint rejected_event_pkey;
        alter table rejected_event add constraint rejected_event_pkey primary key (app_number, rejection_id);
    end if;
end
$$;

-- While one of two tables is distributed and the other is not, no foreign key may join them.
-- `finish_distribution.sql` makes them again.
alter table timeline_segment drop constraint if exists timeline_segment_state_fkey;
alter table timeline_rebuild drop constraint if exists timeline_rebuild_state_fkey;
alter table changed_story drop constraint if exists changed_story_state_fkey;
