-- Touches with the id of a post and refs of their own keep the post's story now, for reports that ask packed timelines which post a
-- touch came from. What is packed does not have it, and is packed anew by the daemon, or by 'tributary rebuild'; until then reports
-- read the events.
truncate timeline_state, timeline_segment, changed_story;

-- Of what is in the columns: 2, with those stories. Without a default, so that a daemon of an earlier version, which does not know
-- it, packs nothing any more.
alter table timeline_segment add column format smallint not null;
