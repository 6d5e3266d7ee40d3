-- Packed touches that name the id of their post tell it also where they have refs of their own, and that they have: reports ask
-- packed timelines which post a touch came from. What is packed does not say so, and is packed anew by the daemon, or by
-- 'tributary rebuild'; until then reports read the events.
truncate timeline_state, timeline_segment, changed_story;

-- Without a default, so that a daemon of an earlier version, which does not know it, packs nothing any more.
alter table timeline_segment add column format smallint not null;
