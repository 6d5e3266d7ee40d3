-- Whether the database is where it first sent from, whether it was silenced, and whether no standby was promoted since.
select home = outgoing_home(), is_paused, timeline_id = transaction_timeline()
from outgoing
