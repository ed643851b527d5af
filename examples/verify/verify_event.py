"""Verifies workflow events. Python 3.9 or later, standard library alone.

    python3 verify_event.py SECRET now sample.json      # reads sample.json and sample.headers
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import sys
import time

TOLERANCE_SECONDS = 300


class Refused(Exception):
    """The message is not genuine, or too old."""


def verify_webhook(body: bytes, headers: dict, secrets: list, now: float) -> dict:
    """The event of a delivery: Standard Webhooks signature and time. Header names are in lower case."""
    try:
        message_id = headers["webhook-id"]
        timestamp = headers["webhook-timestamp"]
        signatures = headers["webhook-signature"]
    except KeyError as missing:
        raise Refused(f"the header {missing} is missing") from None
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise Refused("the time is unreadable")
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        raise Refused("too old, or the clock is wrong")
    signed = f"{message_id}.{timestamp}.".encode() + body
    given = [one[3:] for one in signatures.split(" ") if one.startswith("v1,")]
    keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
    if not any(is_signed(key, signed, one) for key in keys for one in given):
        raise Refused("no signature of the headers holds")
    return json.loads(body)


def verify_event(body: bytes, secrets: list) -> dict:
    """The event whose own signature holds: parse, delete `signature`, write again."""
    try:
        event = json.loads(body)
        content = {name: value for name, value in event.items() if name != "signature"}
        text = json.dumps(content, separators=(",", ":"), ensure_ascii=False)
        signed, signature = text.encode(), str(event["signature"])
    except (ValueError, AttributeError, KeyError, RecursionError):
        raise Refused("the body is no event") from None
    if not any(is_signed(secret.encode(), signed, signature) for secret in secrets):
        raise Refused("the signature of the event does not hold")
    return event


def is_signed(key: bytes, signed: bytes, signature: str) -> bool:
    """Compares in constant time."""
    try:
        given = base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return False
    return hmac.compare_digest(given, hmac.new(key, signed, hashlib.sha256).digest())


def read_headers(path: str) -> dict:
    with open(path, encoding="utf-8") as lines:
        pairs = [line.rstrip("\n").split(": ", 1) for line in lines]
    return {name.lower(): value for name, value in pairs}


def main(secret: str, moment: str, files: list) -> int:
    now = time.time() if moment == "now" else float(moment)
    refused = 0
    for path in files:
        try:
            with open(path, "rb") as file:
                body = file.read()
            verify_webhook(body, read_headers(path.removesuffix(".json") + ".headers"), [secret], now)
            event = verify_event(body, [secret])
            print(f"verified {path} {event['id']}")
        except Refused as reason:
            refused += 1
            print(f"refused {path}: {reason}")
    return 1 if refused else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
