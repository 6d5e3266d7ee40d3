-- SQLite. Removes the bytes of the probe.
delete from probe
