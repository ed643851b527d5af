#!/usr/bin/env bash
# Starts a PostgreSQL server for the services tests on 127.0.0.1, in a new data folder, as an unprivileged user.
# Installs Debian's package when it is missing (as root). Prints the environment of the tests:
#   eval "$(test/services/start-postgres.sh)" && npm run test:services
# Running it again reprints the environment; test/services/stop.sh ends the server and removes its data.
set -euo pipefail

port="${IDEM_TEST_POSTGRES_PORT:-54329}"
state="$(cd "$(dirname "$0")/../.." && pwd)/.scratch/services"

newest_bin() { find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1; }

as_owner() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

print_environment() { echo "export IDEM_TEST_POSTGRES_URL=postgres://idem@127.0.0.1:$port/postgres"; }

bin="$(newest_bin)"
if [ -z "$bin" ]; then
  [ "$(id -u)" -eq 0 ] || { echo "PostgreSQL is missing: apt-get install postgresql" >&2; exit 1; }
  apt-get update >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends postgresql >&2
  bin="$(newest_bin)"
fi

mkdir -p "$state"
if [ -f "$state/postgres" ] && as_owner "$bin/pg_ctl" --pgdata "$(cat "$state/postgres")/data" status >/dev/null 2>&1; then
  print_environment
  exit 0
fi

folder="$(mktemp -d "${TMPDIR:-/tmp}/idem-postgres.XXXXXX")"
if [ "$(id -u)" -eq 0 ]; then chown postgres: "$folder"; fi
cd "$folder"
as_owner "$bin/initdb" --pgdata "$folder/data" --username idem --auth trust --encoding UTF8 --locale C.UTF-8 >&2
as_owner "$bin/pg_ctl" --pgdata "$folder/data" --log "$folder/server.log" --wait \
  --options "-h 127.0.0.1 -p $port -k $folder -c max_connections=100" start >&2
echo "$folder" >"$state/postgres"
print_environment
