-- The arrival of an app here: $1 the database that it comes from, $2 its number there.
select
    app_number,
    copied_through,
    round_through,
    round_position,
    links_through,
    link_revision,
    undone_at is not null,
    arrived_at is not null
from app_arrival
where source = $1::text::uuid
    and source_app_number = $2
