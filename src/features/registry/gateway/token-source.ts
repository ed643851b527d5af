import type { RequestToken } from "#record/webhooks/send/request-token";
import type { GatewayAuth } from "../settings/settings.ts";
import { RegistryFault } from "./fault.ts";

type OAuth = Extract<GatewayAuth, { readonly kind: "oauth2" }>;

export type TokenSource = {
  /** The current access token, renewed at 80 % of its life. With `refused`, another one than that. */
  readonly take: (signal: AbortSignal, refused?: string) => Promise<string>;
};

/** The share of its life after which a token is renewed, so that none expires on its way. */
const renewedAt = 0.8;

/** Access tokens of one registry, in memory. Questions that need one at the same time share one call. */
export const makeTokenSource = (
  auth: OAuth,
  requestToken: RequestToken,
  nowMs: () => number,
): TokenSource => {
  let held: { readonly value: string; readonly renewAtMs: number } | undefined;
  let running: Promise<string> | undefined;

  const renew = async (): Promise<string> => {
    const asked = nowMs();
    const issued = await requestToken(auth);
    if (!("value" in issued)) {
      throw new RegistryFault("no access token was issued", { cause: new Error(issued.reason) });
    }
    held = { value: issued.value, renewAtMs: asked + issued.lifeMs * renewedAt };
    return issued.value;
  };
  const share = (): Promise<string> => {
    const renewal = renew().finally(() => {
      running = undefined;
    });
    // Its callers may all have left when it fails.
    renewal.catch(() => undefined);
    return renewal;
  };
  return {
    take: async (signal, refused) => {
      if (held !== undefined && held.value !== refused && nowMs() < held.renewAtMs) return held.value;
      running ??= share();
      return await orAborted(running, signal);
    },
  };
};

/** The value, or the signal's reason if it comes first. The work goes on for others. */
const orAborted = async <Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> => {
  const aborted = Promise.withResolvers<never>();
  const leave = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", leave);
  try {
    signal.throwIfAborted();
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};
