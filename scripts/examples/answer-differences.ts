import { isObject } from "../contract/json.ts";

/** Members that differ from call to call: ids, times, and what is sealed anew. */
const varying = [
  "timestamp",
  "serviceTime",
  "serviceTransactionId",
  "facialAuthenticationHash",
  "transactionId",
  "keyId",
  "scanReference",
  "acceptanceTime",
  "decisionTime",
  "claimedUntil",
  "openedAt",
  "registeredTemplateRaw",
  "destinationId",
  "createdAt",
  "changedAt",
  "formerSecretUntil",
  "secret",
  "key",
  "revokedAt",
  "lastUsedAt",
  "id",
  "eventId",
  "asset",
  "at",
  "time",
  "eventAt",
  "doneAt",
  "nextAt",
  "endedAt",
  "expiresAt",
  "receivedAt",
  "dnsMs",
  "connectMs",
  "tlsMs",
  "firstByteMs",
  "totalMs",
  "headers",
  "body",
  // Of pension clearing: tokens, the address of a certificate, and attempts, which the machine's network
  // decides.
  "token",
  "hash",
  "certificateUrl",
  "codigoVerificacion",
  "verifiedAt",
  "documentDecidedAt",
  "tokenExpiresAt",
  "issuedAt",
  "attempts",
  // Of verifications: the session that they open, and the day of an age.
  "verificationId",
  "sessionId",
  "day",
  // Name, size and hash of a signed file, and the number of a certificate.
  "fileName",
  "fileBytes",
  "bytes",
  "sha256",
  "serial",
];

/**
 * Texts that differ from call to call by their form: a link to an image, the address of a capture page, the
 * operation of a test event, a PDF in Base64, a moment, and the reason of a signature, which names
 * transaction and hashes.
 */
const varyingTexts = [
  /\/assets\/[^?]+\?expires=\d+&signature=/u,
  /\/capture\/[0-9a-f-]{36}#idem_capture_/u,
  /^test-[0-9a-f]{8}-[0-9a-f-]{27}$/u,
  /^JVBERi0/u,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u,
  /^Autenticacion facial; tx=/u,
];

const isVaryingText = (a: string, b: string): boolean =>
  varyingTexts.some((form) => form.test(a) && form.test(b));

/** Members whose whole numbers are measurements: networks differ a little between processors. */
const measured = ["age", "iod", "score", "value", "x", "y", "width", "height"];
const wholeTolerance = 3;
const shareTolerance = 0.05;

const isNear = (a: number, b: number, name: string): boolean => {
  if (a === b) return true;
  const isShare = Math.max(Math.abs(a), Math.abs(b)) <= 1;
  const isMeasured = measured.includes(name) || !Number.isInteger(a) || !Number.isInteger(b);
  return isMeasured && Math.abs(a - b) <= (isShare ? shareTolerance : wholeTolerance);
};

const parsed = (text: string): unknown => {
  try {
    return text.startsWith("{") ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

const membersOf = (value: object): readonly (readonly [string, unknown])[] =>
  Object.entries(value).filter(([name]) => !varying.includes(name));

const short = (value: unknown): string =>
  value === undefined ? "absent" : JSON.stringify(value).slice(0, 80);

/**
 * The places where two answers differ apart from ids, times and small differences of measurements; none where
 * they agree.
 */
export const differencesOf = (stated: unknown, actual: unknown, place = "", name = ""): readonly string[] => {
  if (typeof stated === "number" && typeof actual === "number" && isNear(stated, actual, name)) return [];
  if (typeof stated === "string" && typeof actual === "string") {
    if (isVaryingText(stated, actual)) return [];
    const [a, b] = [parsed(stated), parsed(actual)];
    if (a !== undefined && b !== undefined) return differencesOf(a, b, place, name);
  }
  const isList = Array.isArray(stated) && Array.isArray(actual);
  if (!isList && !(isObject(stated) && isObject(actual))) {
    return stated === actual ? [] : [`${place}: ${short(stated)}, answered ${short(actual)}`];
  }
  const [a, b] = [new Map(membersOf(stated)), new Map(membersOf(actual))];
  const names = [...new Set([...a.keys(), ...b.keys()])];
  return names.flatMap((one) =>
    differencesOf(a.get(one), b.get(one), `${place}/${one}`, isList ? name : one),
  );
};
