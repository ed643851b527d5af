import { createHmac, timingSafeEqual } from "node:crypto";
import type { Egress, EgressAnswer } from "#egress/egress";
import { ProviderError } from "../morphology-provider.ts";

export type VeriffOptions = {
  readonly egress: Egress;
  /** Without a slash at the end; the paths below begin with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sharedSecret: string;
  /** Time until the head of an answer, and as long again until its end: an answer in drops ends too. */
  readonly timeoutMs: number;
};

/** One exchange; `signed` is the text under the signature where there is no body: the session's id. */
export type SignedCall = {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly signed?: string;
  readonly signal: AbortSignal;
};

export type SignedAnswer = { readonly status: number; readonly body: unknown };

/** Decisions carry no pictures; what is longer is no answer of this interface. */
const answerBytesMax = 1_000_000;

const signatureOf = (secret: string, text: string | Uint8Array): string =>
  createHmac("sha256", secret).update(text).digest("hex");

/**
 * Sends one call with the integration's key and the HMAC-SHA256 (hex) of its body, or of the session's id where it has
 * none. Any status is an answer. Fails with ProviderError where none comes, or one that somebody else signed.
 */
export const makeSignedCall =
  ({ egress, baseUrl, apiKey, sharedSecret, timeoutMs }: VeriffOptions) =>
  async ({ method, path, body, signed = "", signal }: SignedCall): Promise<SignedAnswer> => {
    const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    const host = new URL(baseUrl).host;
    const late = AbortSignal.timeout(2 * timeoutMs);
    try {
      const answer = await egress(`${baseUrl}${path}`, {
        method,
        headers: {
          "content-type": "application/json",
          "x-auth-client": apiKey,
          "x-hmac-signature": signatureOf(sharedSecret, text ?? signed),
        },
        ...(text && { body: text }),
        bytesMax: answerBytesMax,
        headMsMax: timeoutMs,
        silenceMsMax: timeoutMs,
        signal: AbortSignal.any([signal, late]),
      });
      const bytes = await collect(answer);
      refuseForged(answer, bytes, sharedSecret, host);
      return { status: answer.status, body: parseJson(bytes) };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderError) throw error;
      throw new ProviderError(`${host} gave no answer`, true, { cause: error });
    }
  };

const collect = async ({ body }: EgressAnswer): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** An answer need not be signed, since TLS tells whose it is; a wrong signature is no answer. */
const refuseForged = (
  { status, headers }: EgressAnswer,
  bytes: Uint8Array,
  secret: string,
  host: string,
): void => {
  const given = headers["x-hmac-signature"];
  if (given === undefined || status >= 300) return;
  const [own, theirs] = [signatureOf(secret, bytes), given.toLowerCase()].map((text) => Buffer.from(text));
  if (own!.length !== theirs!.length || !timingSafeEqual(own!, theirs!)) {
    throw new ProviderError(`${host} signed an answer with another secret`, true);
  }
};

/** Undefined for what is no JSON, such as the page of a proxy. */
const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};
