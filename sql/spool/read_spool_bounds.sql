-- SQLite. The position of the last request that was ever appended (the sequence of an autoincremented key is
-- transactional, and stays when rows are deleted), and the first and the last position in the file.
select
    (select seq from sqlite_sequence where name = 'batch') as highest,
    (select min(position) from batch) as lowest,
    (select max(position) from batch) as last
