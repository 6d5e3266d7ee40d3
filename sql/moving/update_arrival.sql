-- Notes how far an app that arrives ($1) is copied: events ($2, $3 and $4 as in `app_arrival`) and links ($5, $6). No
-- row: another program has ended the move, or removes the copy.
update app_arrival
set copied_through = $2,
    round_through = $3,
    round_position = $4,
    links_through = $5,
    link_revision = $6
where app_number = $1
    and arrived_at is null
    and undone_at is null
