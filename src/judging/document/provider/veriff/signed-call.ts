import { createHmac, timingSafeEqual } from "node:crypto";
import { ProviderError } from "#contract/provider-error";
import type { Egress, EgressAnswer } from "#machine/egress/egress";

export type VeriffOptions = {
  readonly egress: Egress;
  /** Without a slash at the end. The paths begin with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly sharedSecret: string;
  /** Time until the head of an answer, and the same time again until its end. A very slow answer ends too. */
  readonly timeoutMs: number;
};

/** One request. `signed` is the signed text if there is no body: the id of the session. */
export type SignedCall = {
  readonly method: "GET" | "POST" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly signed?: string;
  readonly signal: AbortSignal;
};

export type SignedAnswer = { readonly status: number; readonly body: unknown };

/** Decisions carry no images, so that a longer answer is not valid. */
const answerBytesMax = 1_000_000;

const signatureOf = (secret: string, text: string | Uint8Array): string =>
  createHmac("sha256", secret).update(text).digest("hex");

/**
 * Sends one request with the key of the integration and the HMAC-SHA256 (hex) of its body, or of the
 * session's id if there is no body. Resolves with any status. Fails with ProviderError if there is no answer,
 * or if its signature is wrong.
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

/** An answer may be unsigned, because TLS identifies the provider. A wrong signature is refused. */
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

/** Undefined if the text is not JSON, such as the page of a proxy. */
const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};
