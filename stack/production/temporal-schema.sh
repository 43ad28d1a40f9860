#!/bin/sh
# Makes the tables of Temporal's two databases, or brings them to the version of this image; runs at each start.
set -eu
for part in temporal visibility; do
  database=$DBNAME
  [ "$part" = visibility ] && database=$VISIBILITY_DBNAME
  set -- temporal-sql-tool --plugin postgres12 --endpoint "$POSTGRES_SEEDS" --port "$DB_PORT" \
    --user "$POSTGRES_USER" --database "$database"
  # Does nothing where tables are.
  "$@" setup-schema --version 0.0
  "$@" update-schema --schema-dir "/etc/temporal/schema/postgresql/v12/$part/versioned"
done
