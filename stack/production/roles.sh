#!/bin/sh
# Runs once, on an empty volume.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
  --set archivolt="$ARCHIVOLT_DATABASE_PASSWORD" --set temporal="$TEMPORAL_DATABASE_PASSWORD" <<'SQL'
CREATE ROLE archivolt LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'archivolt';
CREATE ROLE temporal LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'temporal';
CREATE DATABASE archivolt OWNER archivolt;
CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
REVOKE CONNECT ON DATABASE postgres, archivolt, temporal, temporal_visibility FROM PUBLIC;
SQL
