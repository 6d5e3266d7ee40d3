-- Gives a cost a name without the secret that was in it, so that its money stays. If costs of this name and these days
-- are there already, the first number from 2 follows that none of them has: of n costs, one of n + 1 names is free.
-- $1 the place of its row, $2 the name, which leaves room for a number.
update cost
set name = (
    select candidate.name
    from generate_series(
            1,
            (
                select count(*) + 1
                from cost as other
                where other.app_number = cost.app_number
                    and other.kind = cost.kind
                    and other.starts_on = cost.starts_on
                    and other.ends_on = cost.ends_on
            )
        ) as candidate_number,
        lateral (
            select case when candidate_number = 1 then $2::text else $2::text || ' (' || candidate_number || ')' end
        ) as candidate (name)
    where not exists (
        select
        from cost as other
        where other.app_number = cost.app_number
            and other.kind = cost.kind
            and other.name = candidate.name
            and other.starts_on = cost.starts_on
            and other.ends_on = cost.ends_on
    )
    order by candidate_number
    limit 1
)
where ctid = $1::tid
