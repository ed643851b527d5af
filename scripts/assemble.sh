#!/bin/sh
# Makes the file tree of a production installation from this checkout: the program, its packages without those of
# developers, and nothing that a service does not load. The Dockerfile and the checks use it.
#   scripts/assemble.sh DIR
set -eu

[ $# -eq 1 ] || { echo "Usage: scripts/assemble.sh DIR" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd -P)
mkdir -p "$1"
target=$(cd "$1" && pwd -P)
[ -z "$(ls -A "$target")" ] || { echo "$target is not empty. Name an empty directory." >&2; exit 1; }

cd "$root"
tar -cf - --exclude='*.test.ts' --exclude='*.engine.generated.json' --exclude='*.sql.md' \
  api idem models src LICENSE MODELS.md NOTICE README.md package.json package-lock.json .npmrc \
  ops/pkcs11/package.json ops/pkcs11/package-lock.json scripts/trim-install.ts scripts/keep-networks.ts | tar -xf - -C "$target"

cd "$target"
npm ci --omit=dev --no-audit --no-fund --loglevel=error

# The Node of the packages where the system's is too old for TypeScript; then it stays.
node=node
"$node" --eval 'process.exit(process.features.typescript ? 0 : 1)' 2>/dev/null || node=node_modules/.bin/node
"$node" scripts/trim-install.ts
"$node" scripts/keep-networks.ts
rm -r scripts
printf '%s MB in %s\n' "$(du -sm . | cut -f1)" "$target"
