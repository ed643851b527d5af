// Verifies workflow events. Node 22.18 or later, without a package. For browsers and other runtimes:
// api/verify-event.js.
//
//     node verify-event.ts SECRET now sample.json      # reads sample.json and sample.headers
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const toleranceSeconds = 300;

type Event = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | undefined>>;

class Refused extends Error {}

/** The event of a delivery: Standard Webhooks signature and time. Header names are in lower case. */
export const verifyWebhook = (
  body: Buffer,
  headers: Headers,
  secrets: readonly string[],
  now: number,
): Event => {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !timestamp || !signatures) throw new Refused("a header is missing");
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new Refused("the time is unreadable");
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds)
    throw new Refused("too old, or the clock is wrong");
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = signatures.split(" ").flatMap((one) => (one.startsWith("v1,") ? [one.slice(3)] : []));
  const keys = secrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ""), "base64"));
  if (!keys.some((key) => given.some((signature) => isSigned(key, signed, signature)))) {
    throw new Refused("no signature of the headers holds");
  }
  return parse(body);
};

/** The event whose own signature holds: parse, delete `signature`, write again. */
export const verifyEvent = (body: Buffer, secrets: readonly string[]): Event => {
  const event = parse(body);
  const { signature, ...content } = event;
  const signed = Buffer.from(JSON.stringify(content));
  if (
    typeof signature !== "string" ||
    !secrets.some((secret) => isSigned(Buffer.from(secret), signed, signature))
  ) {
    throw new Refused("the signature of the event does not hold");
  }
  return event;
};

const parse = (body: Buffer): Event => {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The refusal below.
  }
  throw new Refused("the body is no event");
};

/** Compares in constant time. */
const isSigned = (key: Buffer, signed: Buffer, signature: string): boolean => {
  const [expected, given] = [createHmac("sha256", key).update(signed).digest("base64"), signature].map(
    (text) => Buffer.from(text),
  );
  return expected?.length === given?.length && timingSafeEqual(expected!, given!);
};

const readHeaders = (path: string): Headers =>
  Object.fromEntries(
    readFileSync(path, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => [line.slice(0, line.indexOf(": ")).toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
  );

const main = (secret: string, moment: string, files: readonly string[]): number => {
  const now = moment === "now" ? Date.now() / 1_000 : Number(moment);
  let refused = 0;
  for (const path of files) {
    try {
      const body = readFileSync(path);
      verifyWebhook(body, readHeaders(path.replace(/\.json$/, ".headers")), [secret], now);
      console.log(`verified ${path} ${String(verifyEvent(body, [secret])["id"])}`);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused += 1;
      console.log(`refused ${path}: ${error.message}`);
    }
  }
  return refused === 0 ? 0 : 1;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [secret = "", moment = "", ...files] = process.argv.slice(2);
  if (files.length === 0) console.error("Usage: node verify-event.ts SECRET now|UNIX_TIME FILE.json …");
  process.exitCode = files.length === 0 ? 2 : main(secret, moment, files);
}
