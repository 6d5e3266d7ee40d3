-- Takes all hosts of links from an app ($1). Its links stay.
delete from link_host
where app_number = $1
