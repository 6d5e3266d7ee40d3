-- Creates the role that may read only the views for BI tools, if the current role may create roles. Logins become
-- members of it (docs/bi.md).
do $$
begin
    create role tributary_bi nologin;
exception
    -- Another program may create the role for another database at the same time.
    when duplicate_object or unique_violation or insufficient_privilege then null;
end
$$;
