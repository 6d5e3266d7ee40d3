-- Gives an app ($1) hosts of links ($2), in their order.
insert into link_host (host, app_number, position)
select host, $1, position
from unnest($2::text[]) with ordinality as given (host, position)
