/** The token call of OAuth 2.0 client credentials (RFC 6749, 4.4). */
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { Egress, EgressAnswer } from "#machine/egress/egress";
import { isEgressError, isInterrupted, reasonOf } from "./egress-failure.ts";
import type { OAuthDestination, TokenFault } from "./token.ts";

/** A token as its server issued it. */
export type IssuedToken = { readonly value: string; readonly lifeMs: number };

/** Asks a token server once. Made by {@link makeRequestToken}. */
export type RequestToken = (auth: OAuthDestination["auth"]) => Promise<IssuedToken | TokenFault>;

/** The whole call. An attempt must have time left for its message. */
export const tokenCallMsMax = 10_000;
const answerBytesMax = 65_536;
/**
 * The life of a token whose server states none (RFC 6749, 5.1 only recommends it): five minutes, our choice.
 */
const lifeMsDefault = 300_000;
/** A token is asked for at least once a day, so that a client that lost its right is noticed. */
const lifeMsMax = 86_400_000;

/** RFC 6749, 5.1. Some servers send `expires_in` as text. */
const issued = makeCheck(
  Type.Object({
    // RFC 6750, 2.1: it becomes a header, so no space or line end may be in it.
    access_token: Type.String({ minLength: 1, maxLength: 8192, pattern: "^[A-Za-z0-9\\-._~+/]+=*$" }),
    token_type: Type.String({ pattern: "^[Bb][Ee][Aa][Rr][Ee][Rr]$" }),
    expires_in: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1 }), Type.String({ pattern: "^[1-9][0-9]{0,9}$" })]),
    ),
  }),
);

/** RFC 6749, 5.2. Any other text of the server is left out: it may hold anything. */
const errorCodes: readonly unknown[] = [
  "invalid_request",
  "invalid_client",
  "invalid_grant",
  "unauthorized_client",
  "unsupported_grant_type",
  "invalid_scope",
];

export const makeRequestToken =
  ({ egress }: { readonly egress: Egress }): RequestToken =>
  async (auth) => {
    const startedMs = performance.now();
    const msLeft = (): number => Math.max(1, tokenCallMsMax - (performance.now() - startedMs));
    try {
      const answer = await egress(auth.tokenUrl, {
        method: "POST",
        ...requestOf(auth),
        bytesMax: answerBytesMax,
        headMsMax: tokenCallMsMax,
        silenceMsMax: tokenCallMsMax,
      });
      return readAnswer(answer.status, parseJson(await readWhole(answer, msLeft())));
    } catch (error) {
      if (!isEgressError(error) || isInterrupted(error)) throw error;
      return { reason: `The token server failed: ${reasonOf(error, auth.tokenUrl)}` };
    }
  };

/** RFC 6749, 2.3.1: the credentials are form-encoded before they become Basic credentials. */
const encoded = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

const requestOf = ({ clientId, clientSecret, scope, credentialsIn }: OAuthDestination["auth"]) => {
  const form = new URLSearchParams({ grant_type: "client_credentials" });
  if (scope !== undefined) form.set("scope", scope);
  if (credentialsIn === "body") {
    form.set("client_id", clientId);
    form.set("client_secret", clientSecret);
  }
  const basic = Buffer.from(`${encoded(clientId)}:${encoded(clientSecret)}`, "utf8").toString("base64");
  return {
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
      ...(credentialsIn === "header" && { authorization: `Basic ${basic}` }),
    },
    body: Buffer.from(form.toString(), "utf8"),
  };
};

/** A server that sends byte by byte ends with the time too. */
const readWhole = async ({ body, discard }: EgressAnswer, msMax: number): Promise<Buffer> => {
  const timer = setTimeout(discard, msMax);
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body) chunks.push(chunk);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks);
};

const parseJson = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};

const readAnswer = (status: number, body: unknown): IssuedToken | TokenFault => {
  if (status !== 200) return { status, reason: `The token server answered ${status}${errorCodeOf(body)}` };
  if (!issued.Check(body)) {
    return { status, reason: "The token server answered 200 without a bearer token (RFC 6749, 5.1)" };
  }
  const stated = body.expires_in === undefined ? lifeMsDefault : Number(body.expires_in) * 1000;
  return { value: body.access_token, lifeMs: Math.min(stated, lifeMsMax) };
};

const errorCodeOf = (body: unknown): string => {
  const code = typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  return errorCodes.includes(code) ? ` (${String(code)})` : "";
};
