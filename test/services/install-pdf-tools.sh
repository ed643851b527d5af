#!/usr/bin/env bash
# Installs Debian's readers of signed PDF files, and a token of PKCS#11 in software, for the services tests (as root):
#   test/services/install-pdf-tools.sh && npm run test:services
# Installed programs are left as they are. Nothing is started.
set -euo pipefail

packages=()
command -v pdfsig >/dev/null && command -v pdftoppm >/dev/null || packages+=(poppler-utils)
command -v qpdf >/dev/null || packages+=(qpdf)
command -v certutil >/dev/null || packages+=(libnss3-tools)
command -v softhsm2-util >/dev/null || packages+=(softhsm2)
command -v pkcs11-tool >/dev/null || packages+=(opensc)
command -v openssl >/dev/null || packages+=(openssl)

[ "${#packages[@]}" -gt 0 ] || exit 0
[ "$(id -u)" -eq 0 ] || { echo "Missing: apt-get install ${packages[*]}" >&2; exit 1; }
apt-get update >&2
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" >&2
