#!/usr/bin/env bash
# Starts an S3 server for the services tests: Debian's OpenStack Swift with its s3api, one replica, on 127.0.0.1, in a
# new data folder, as the unprivileged user of the package. Installs the packages when they are missing (as root).
#   eval "$(test/services/start-s3.sh)" && npm run test:services
# Running it again reprints the environment; test/services/stop.sh ends the servers and removes their data.
set -euo pipefail

port="${IDEM_TEST_S3_PORT:-54330}"
state="$(cd "$(dirname "$0")/../.." && pwd)/.scratch/services"

# setpriv becomes the server, so that its process id is the one to stop.
owner=()
if [ "$(id -u)" -eq 0 ]; then owner=(setpriv --reuid=swift --regid=swift --init-groups --); fi

print_environment() {
  cat <<ENVIRONMENT
export IDEM_TEST_S3_ENDPOINT=http://127.0.0.1:$port
export IDEM_TEST_S3_REGION=us-east-1
export IDEM_TEST_S3_BUCKET=idem-test
export IDEM_TEST_S3_ACCESS_KEY=test:idem
export IDEM_TEST_S3_SECRET_KEY=idem-test-secret
ENVIRONMENT
}

is_up() { curl --silent --fail --max-time 2 "http://127.0.0.1:$port/healthcheck" >/dev/null; }

if ! command -v swift-proxy-server >/dev/null || ! command -v curl >/dev/null; then
  [ "$(id -u)" -eq 0 ] || { echo "Swift is missing: apt-get install swift-{proxy,account,container,object} curl" >&2; exit 1; }
  apt-get update >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    swift-proxy swift-account swift-container swift-object curl >&2
fi

mkdir -p "$state"
if [ -f "$state/s3" ] && is_up; then
  print_environment
  exit 0
fi

folder="$(mktemp -d "${TMPDIR:-/tmp}/idem-s3.XXXXXX")"
mkdir -p "$folder/devices/d1" "$folder/etc"

common="bind_ip = 127.0.0.1
swift_dir = $folder/etc
devices = $folder/devices
mount_check = false
workers = 0
user = swift
log_name = idem-s3
log_level = ERROR"

cat >"$folder/etc/swift.conf" <<CONF
[swift-hash]
swift_hash_path_prefix = idem
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
CONF

number=1
for kind in account container object; do
  cat >"$folder/etc/$kind-server.conf" <<CONF
[DEFAULT]
$common
bind_port = $((port + number))
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
CONF
  builder="$folder/etc/$kind.builder"
  swift-ring-builder "$builder" create 4 1 1 >&2
  swift-ring-builder "$builder" add "r1z1-127.0.0.1:$((port + number))/d1" 1 >&2
  swift-ring-builder "$builder" rebalance >&2
  number=$((number + 1))
done

cat >"$folder/etc/proxy-server.conf" <<CONF
[DEFAULT]
$common
bind_port = $port
[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_idem = idem-test-secret .admin
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
dns_compliant_bucket_names = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:healthcheck]
use = egg:swift#healthcheck
[filter:cache]
use = egg:swift#memcache
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
CONF

if [ "$(id -u)" -eq 0 ]; then chown -R swift: "$folder"; fi
cd "$folder"
for kind in account container object proxy; do
  # Silent on success; what goes wrong is in the log, which is shown when the start fails.
  "${owner[@]}" "swift-$kind-server" "$folder/etc/$kind-server.conf" </dev/null >"$folder/$kind.log" 2>&1 &
  echo $! >"$folder/$kind.pid"
done
echo "$folder" >"$state/s3"

# Python on a busy machine takes its time.
for _ in $(seq 600); do
  if is_up; then
    print_environment
    exit 0
  fi
  sleep 0.2
done
tail -n 20 "$folder"/*.log >&2
echo "The S3 server did not start" >&2
exit 1
