-- Drops the existing views. The setting tributary.bi_views names them.
do $$
declare
    view_name text;
begin
    -- No view depends on another, so the order does not matter.
    foreach view_name in array current_setting('tributary.bi_views')::text[] loop
        execute format('drop view if exists bi.%I', view_name);
    end loop;
end
$$;
