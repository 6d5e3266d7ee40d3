-- Asks each worker a question ($1). Returns its name and port, whether it answers, and the answer, or what is wrong.
select nodename, nodeport, success, result
from run_command_on_workers($1)
order by nodename, nodeport
