-- The role that may read the views of BI tools and nothing else, where the role at hand may make roles. Logins are made
-- members of it (docs/bi.md).
do $$
begin
    create role tributary_bi nologin;
exception
    -- Somebody else may make it for another database at the same time.
    when duplicate_object or unique_violation or insufficient_privilege then null;
end
$$;
