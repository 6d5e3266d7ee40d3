-- Gives this server's history a new generation. The caller has raised the sequence.
update transaction_generation
set generation = default
where generation = (select max(generation) from transaction_generation)
