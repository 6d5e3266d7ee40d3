-- SQLite. The revision of a daemon's copy of the links; no row if it was never written whole.
select number from revision
