-- Forgets the digests of an app's days, because all of its figures are computed again. $1 app_number.
delete from figures_digest
where app_number = $1
