-- The declared properties that all packed events of the app $1 have (`AppProperty.id`). No row if nothing is packed.
select properties
from timeline_state
where app_number = $1
    and packed_through > 0
