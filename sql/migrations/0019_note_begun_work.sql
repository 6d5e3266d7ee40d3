-- What somebody has begun with an app's packed timelines, for who comes after a program that was killed, or at the same time.
alter table timeline_state
    -- The generation of segments that was begun last: who packs all anew and finds another has been overtaken.
    add column begun_generation integer not null default 0,
    -- Events before it are being deleted, and are taken out of the segments afterwards; null: none are.
    add column removing_before timestamptz;
