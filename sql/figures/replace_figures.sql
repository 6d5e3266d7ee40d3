-- Replaces the rows of periods in a table of figures. Writes only rows that differ, and deletes those that are gone.
-- Returns the granularities and first days of the rows that it wrote or deleted.
-- $1 app_number, $2 granularities and $3 first days of the periods, $4 the properties of people; from $5 on the new
-- rows, column by column.
-- FigureTable fills in the names: :table; which of its rows are replaced (:owned); its :columns, of which the :keys name
-- a row and the :cells are the rest; for each column, its parameter (:arrays) and its value of the parameter's texts
-- (:values).
with period as (
    select granularity::figures_granularity, starts_on::date
    from unnest($2::text[], $3::text[]) as period (granularity, starts_on)
),
present as not materialized (
    select :values
    from unnest(:arrays) as row (:columns)
),
gone as (
    delete from :table as old
    using period
    where old.app_number = $1
        and old.granularity = any ($2::text[]::figures_granularity[])
        and old.starts_on = any ($3::text[]::date[])
        and old.granularity = period.granularity
        and old.starts_on = period.starts_on
        and :owned
        and not exists (
            select
            from present
            where (:present_keys) = (:old_keys)
        )
    returning old.granularity, old.starts_on
),
written as (
    insert into :table as old (app_number, :columns)
    select $1, :columns
    from present
    on conflict (app_number, :keys) do update
        set (:cells) = row (:new_cells)
        where (:old_cells) is distinct from (:new_cells)
    returning granularity, starts_on
)
select granularity::text, starts_on::text
from gone
union
select granularity::text, starts_on::text
from written
