#!/usr/bin/env bash
# Ends the servers that start-postgres.sh and start-s3.sh started and removes their data.
set -euo pipefail

state="$(cd "$(dirname "$0")/../.." && pwd)/.scratch/services"

if [ -f "$state/postgres" ]; then
  folder="$(cat "$state/postgres")"
  pid="$(head -n 1 "$folder/data/postmaster.pid" 2>/dev/null || true)"
  if [ -n "$pid" ]; then
    # SIGINT is PostgreSQL's fast shutdown.
    kill -INT "$pid"
    while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  fi
  rm -rf "$folder" "$state/postgres"
fi

if [ -f "$state/s3" ]; then
  folder="$(cat "$state/s3")"
  for server in "$folder"/*.pid; do
    kill "$(cat "$server")" 2>/dev/null || true
  done
  rm -rf "$folder" "$state/s3"
fi
