-- Drops the views that the setting tributary.bi_views names: those that were made before.
do $$
declare
    view_name text;
begin
    -- None is built on another.
    foreach view_name in array current_setting('tributary.bi_views')::text[] loop
        execute format('drop view if exists bi.%I', view_name);
    end loop;
end
$$;
