-- The digests of an app's days (`ValueDigests`), and before which time events have been removed. One row with no day if
-- there is none. $1 app_number.
select state.removed_before, digest.day::text, digest.digest
from figures_state as state
left join figures_digest as digest using (app_number)
where app_number = $1
