-- Functions that write with their owner's rights are for those who store events, not for everybody who reaches the schema:
-- a role for BI tools could otherwise make partitions without end.
revoke execute on function ensure_event_partition(date), current_transaction_number() from public;

-- Roles that could store events before this migration still can.
do $$
declare
    writer regrole;
begin
    for writer in
        select distinct grantee::regrole
        from pg_class
        cross join lateral aclexplode(relacl)
        where pg_class.oid = 'event'::regclass
            and privilege_type = 'INSERT'
            and grantee <> 0
            and grantee <> relowner
    loop
        execute format(
            'grant execute on function ensure_event_partition(date), current_transaction_number() to %s',
            writer
        );
    end loop;
end
$$;
