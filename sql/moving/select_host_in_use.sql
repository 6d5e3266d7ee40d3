-- One of the hosts $1 that an app here has, or that has links.
select host
from link_host
where host = any ($1)
union all
select host
from link
where host = any ($1)
limit 1
