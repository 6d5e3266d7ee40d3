-- Whether the packed timelines of an app know the form of each link, and whether it came from an ad. What was packed
-- before knows neither: reports that need them read the events, until the daemon has packed them again.
alter table timeline_state add column has_forms boolean not null default true;

update timeline_state set has_forms = packed_through = 0;
