import { setTimeout as sleep } from "node:timers/promises";
import type { Egress, EgressAnswer } from "#machine/egress/egress";
import type { GatewayAuth, GatewaySettings } from "../settings/settings.ts";
import { faultOf, RegistryFault } from "./fault.ts";
import type { GatewayRequest } from "./fill-request.ts";
import type { TokenSource } from "./token-source.ts";

export type SendDeps = {
  readonly egress: Egress;
  /** Given for OAuth. */
  readonly tokens?: TokenSource;
  /** Never goes back. */
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
};

/** What bounds one question. */
export type Bounds = { readonly signal: AbortSignal; readonly endsAtMs: number };

/** Further tries of an idempotent request. */
export const triesMore = 2;
/** The mean pause before the second try; each further one is three times as long. */
const pauseMs = 200;

/**
 * Sends a request, reads its answer, and does so again after a transient fault, where the request is
 * idempotent and the time suffices. Throws RegistryFault, an error of `egress`, or the reason of the signal.
 */
export const sendWithRetries = async <Value>(
  settings: GatewaySettings,
  deps: SendDeps,
  bounds: Bounds,
  exchange: () => Promise<Value>,
): Promise<Value> => {
  for (let tried = 0; ; tried++) {
    try {
      return await exchange();
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      const { isTransient = false, retryAfterMs } = fault.kind;
      if (!isTransient || !settings.request.isIdempotent || tried >= triesMore) throw fault;
      const waitMs = retryAfterMs ?? pauseMs * 3 ** tried * (0.5 + deps.random());
      if (deps.nowMs() + waitMs >= bounds.endsAtMs) throw fault;
      await sleep(waitMs, undefined, { signal: bounds.signal });
    }
  }
};

/** One request with credentials. An access token that the registry refuses is replaced once. */
export const sendOnce = async (
  settings: GatewaySettings,
  request: GatewayRequest,
  { egress, tokens }: SendDeps,
  { signal }: Bounds,
): Promise<EgressAnswer> => {
  const send = (credentials: Readonly<Record<string, string>>): Promise<EgressAnswer> => {
    const { url, method, headers, body } = request;
    return egress(url, {
      method,
      headers: { ...headers, ...credentials },
      ...(body !== undefined && { body }),
      ...(settings.tls !== undefined && { tls: settings.tls }),
      bytesMax: settings.bytesMax,
      headMsMax: settings.timeoutMs,
      silenceMsMax: settings.timeoutMs,
      // A call on a kept connection can arrive twice.
      keepsConnection: settings.request.isIdempotent,
      signal,
    });
  };
  if (tokens === undefined) return send(credentialsOf(settings.auth));
  const token = await tokens.take(signal);
  const answer = await send({ authorization: `Bearer ${token}` });
  if (answer.status !== 401) return answer;
  answer.discard();
  // It was refused before it was carried out, so that it may be sent again even where it is not idempotent.
  return send({ authorization: `Bearer ${await tokens.take(signal, token)}` });
};

/** OAuth takes a token instead. */
const credentialsOf = (auth: GatewayAuth): Readonly<Record<string, string>> => {
  if (auth.kind === "key") return { [auth.header]: auth.secret };
  if (auth.kind !== "basic") return {};
  const pair = Buffer.from(`${auth.user}:${auth.password}`, "utf8").toString("base64");
  return { authorization: `Basic ${pair}` };
};

/** Statuses after which another try may succeed. */
const transientStatuses: readonly number[] = [429, 500, 502, 503, 504];

/** A week: a longer pause means the same here. */
const retryAfterMsMax = 604_800_000;

const retryAfterOf = (headers: EgressAnswer["headers"]): number | undefined => {
  const text = headers["retry-after"]?.trim() ?? "";
  return /^\d{1,9}$/.test(text) ? Math.min(Number(text) * 1000, retryAfterMsMax) : undefined;
};

/** The fault of a status that is no answer about a person. */
export const statusFault = ({ status, headers }: Pick<EgressAnswer, "status" | "headers">): RegistryFault => {
  if (status >= 300 && status < 400) return new RegistryFault("it redirects, which is not followed");
  if (status === 401 || status === 403) return new RegistryFault(`it refused the credentials (${status})`);
  const retryAfterMs = retryAfterOf(headers);
  return new RegistryFault(`it answered ${status}`, {
    isTransient: transientStatuses.includes(status),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
};
