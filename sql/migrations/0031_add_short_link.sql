-- The short link of the app that a touch came through, as host/slug (docs/redirects.md).

alter table event add column short_link text collate "C";

-- Packed timelines know it too, and which click an inbound link names. What is packed already has neither. Without a
-- default, so that a daemon of an earlier version, which does not know the columns, packs nothing any more.
alter table timeline_segment
    add column links bytea not null default '',
    add column opened_clicks bytea not null default '';
alter table timeline_segment
    alter column links drop default,
    alter column opened_clicks drop default,
    alter column links set storage external,
    alter column opened_clicks set storage external;
