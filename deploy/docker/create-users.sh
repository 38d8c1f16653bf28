# shellcheck shell=bash
# MariaDB's image sources this file when it creates the database. `millime grants` prints what each user may do.
docker_process_sql <<SQL
create user millime_migration@'%' identified by '$(cat /run/secrets/migration_password)';
create user millime_runtime@'%' identified by '$(cat /run/secrets/runtime_password)';
SQL
