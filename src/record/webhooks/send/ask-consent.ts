/** The handshake of CloudEvents HTTP 1.0 web hooks, 4 (abuse protection). */
import type { Egress, EgressAnswer } from "#machine/egress/egress";
import type { Destination } from "../destinations/destination.ts";
import { isEgressError, reasonOf } from "./egress-failure.ts";
import { credentialsOf } from "./message-headers.ts";
import type { OAuthDestination, TakeToken } from "./token.ts";

/** The receiver's answer to the question whether this service may send to it. */
export type Consent = {
  readonly consents: boolean;
  readonly status?: number;
  /** Why there is no consent. */
  readonly reason?: string;
};

/** Asks a receiver for its consent. Rejects only when `signal` aborts. Made by {@link makeAskConsent}. */
export type AskConsent = (destination: Destination, signal: AbortSignal) => Promise<Consent>;

export type AskConsentDeps = {
  readonly egress: Egress;
  readonly takeToken: TakeToken;
  /** The name by which receivers know this service: the host of its public URL. */
  readonly origin: string;
};

/** The body of the answer has no meaning. */
const answerBytesMax = Number.MAX_SAFE_INTEGER;

export const makeAskConsent =
  (deps: AskConsentDeps): AskConsent =>
  async (destination, signal) => {
    const { egress, origin } = deps;
    const token = await tokenOf(deps, destination, signal);
    if (typeof token === "object") return { consents: false, ...token };
    try {
      const answer = await egress(destination.url, {
        method: "OPTIONS",
        headers: {
          ...destination.headers,
          ...credentialsOf(destination, token),
          "webhook-request-origin": origin,
        },
        bytesMax: answerBytesMax,
        headMsMax: destination.timeoutMs,
        signal,
      });
      answer.discard();
      return consentOf(answer, origin);
    } catch (error) {
      signal.throwIfAborted();
      if (!isEgressError(error)) throw error;
      return { consents: false, reason: reasonOf(error, destination.url) };
    }
  };

const isOAuth = (destination: Destination): destination is OAuthDestination =>
  destination.auth.kind === "oauth2";

const tokenOf = async ({ takeToken }: AskConsentDeps, destination: Destination, signal: AbortSignal) => {
  if (!isOAuth(destination)) return undefined;
  const taken = await takeToken(destination, { msMax: destination.timeoutMs, signal });
  return "value" in taken ? taken.value : taken;
};

const consentOf = (
  { status, headers }: Pick<EgressAnswer, "status" | "headers">,
  origin: string,
): Consent => {
  if (status < 200 || status > 299)
    return { consents: false, status, reason: `The receiver answered ${status}` };
  const allowed = headers["webhook-allowed-origin"];
  if (allowed !== "*" && allowed?.toLowerCase() !== origin.toLowerCase()) {
    const reason = `The receiver did not answer with WebHook-Allowed-Origin: ${origin}, or *`;
    return { consents: false, status, reason };
  }
  return { consents: true, status };
};
