#!/usr/bin/env bash
# Proves that the networks can still be trained: draws, learns, evaluates and exports on a few lines and scenes.
# Debian's Python with torch and the faces are installed when they are missing and the caller is root.
set -euo pipefail
cd "$(dirname "$0")"

packages=(python3-torch python3-numpy python3-pil fonts-ocr-b fonts-liberation fonts-dejavu fonts-freefont-ttf
  fonts-open-sans fonts-roboto-unhinted fonts-lato fonts-urw-base35 fonts-noto-core fonts-cantarell fonts-hack)
if ! dpkg -s "${packages[@]}" >/dev/null 2>&1; then
  [ "$(id -u)" -eq 0 ] || { echo "Missing: apt-get install ${packages[*]}" >&2; exit 1; }
  apt-get update >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}" >&2
fi

for network in mrz text corners; do
  (cd "$network" && /usr/bin/python3 train.py --smoke)
done
