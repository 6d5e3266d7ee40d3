-- SQLite. How many requests could not be read.
select count(*) from unreadable
