-- Notes that a rebuild of the app $1 has made the segments of the month $2.
--   $3 their events, $4 the latest touch of a story, $5 whether a touch names the id of its post
update timeline_rebuild
set months = months || $2::date,
    events = events + $3,
    last_story_touch = greatest(last_story_touch, $4),
    has_post_ids = has_post_ids or $5
where app_number = $1
