-- Gives a cost a name without the secret that was in it, so that its money stays. If a cost of this name and these days
-- is there already, the cost's number follows. $1 the place of its row, $2 the name, which leaves room for a number.
update cost
set name = case
        when exists (
            select
            from cost as other
            where other.app_number = cost.app_number
                and other.kind = cost.kind
                and other.name = $2
                and other.starts_on = cost.starts_on
                and other.ends_on = cost.ends_on
        )
            then $2 || ' (' || cost.cost_number || ')'
        else $2
    end
where ctid = $1::tid
