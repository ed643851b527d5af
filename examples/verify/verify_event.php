<?php

// Verifies workflow events. PHP 8.0 or later, without a library.
//
//     php verify_event.php SECRET now sample.json      # reads sample.json and sample.headers

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** The message is not genuine, or too old. */
final class Refused extends Exception
{
}

/** Standard Webhooks signature and time of a delivery. Header names are in lower case. */
function verify_webhook(string $body, array $headers, array $secrets, int $now): void
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $signatures = $headers['webhook-signature'] ?? '';
    if ($id === '' || $timestamp === '' || $signatures === '') {
        throw new Refused('a header is missing');
    }
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        throw new Refused('the time is unreadable');
    }
    if (abs($now - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new Refused('too old, or the clock is wrong');
    }
    foreach ($secrets as $secret) {
        $key = base64_decode((string) preg_replace('/^whsec_/', '', $secret), true);
        if ($key === false || $key === '') {
            throw new InvalidArgumentException("The secret is not 'whsec_' and Base64");
        }
        foreach (explode(' ', $signatures) as $one) {
            if (str_starts_with($one, 'v1,') && is_signed($key, "$id.$timestamp.$body", substr($one, 3))) {
                return;
            }
        }
    }
    throw new Refused('no signature of the headers holds');
}

/**
 * The event's own signature. The body is canonical, so the signed bytes are the body without the member `signature`. It is
 * the last one of this name: `data` stands before it.
 */
function verify_event(string $body, array $secrets): void
{
    $at = strrpos($body, ',"signature":"');
    $tail = '/^,"signature":"([A-Za-z0-9+\/]{43}=)"'
        . '(,"source":"[^"\\\\]*","specversion":"1\.0","time":"[^"\\\\]*","type":"[^"\\\\]*"\})$/D';
    if ($at === false || preg_match($tail, substr($body, $at), $found) !== 1) {
        throw new Refused('the body is no event');
    }
    foreach ($secrets as $secret) {
        if (is_signed($secret, substr($body, 0, $at) . $found[2], $found[1])) {
            return;
        }
    }
    throw new Refused('the signature of the event does not hold');
}

/** Compares in constant time. */
function is_signed(string $key, string $signed, string $signature): bool
{
    return hash_equals(base64_encode(hash_hmac('sha256', $signed, $key, true)), $signature);
}

function read_headers(string $path): array
{
    $headers = [];
    foreach (file($path, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) as $line) {
        [$name, $value] = explode(': ', $line, 2);
        $headers[strtolower($name)] = $value;
    }
    return $headers;
}

function main(array $arguments): int
{
    if (count($arguments) < 4) {
        fwrite(STDERR, "Usage: php verify_event.php SECRET now|UNIX_TIME FILE.json ...\n");
        return 2;
    }
    [, $secret, $moment] = $arguments;
    $now = $moment === 'now' ? time() : (int) $moment;
    $refused = 0;
    foreach (array_slice($arguments, 3) as $path) {
        try {
            $body = (string) file_get_contents($path);
            verify_webhook($body, read_headers(preg_replace('/\.json$/D', '.headers', $path)), [$secret], $now);
            verify_event($body, [$secret]);
            echo "verified $path\n";
        } catch (Refused $reason) {
            $refused++;
            echo "refused $path: {$reason->getMessage()}\n";
        }
    }
    return $refused === 0 ? 0 : 1;
}

if (realpath($_SERVER['SCRIPT_FILENAME'] ?? '') === __FILE__) {
    exit(main($argv));
}
