import type { ServerOptions } from "#machine/http/options";
import type { ReadyConfig } from "./storage.ts";

/**
 * Access to the metrics. With a token, its holder reads them. Without one they are open in development and
 * closed in production.
 */
const metricsAccessOf = ({ mode, http }: ReadyConfig): NonNullable<ServerOptions["metricsAccess"]> => {
  if (http.metricsToken !== undefined) {
    return { bearer: http.metricsToken };
  }
  return mode === "production" ? "closed" : "open";
};

/** What the server takes from the settings. */
export const serverSettings = (config: ReadyConfig) => {
  const { publicUrl, trustedProxies, isBehindTls, rate, ...http } = config.http;
  const { bodyBytesMax, bodiesInFlight, requestTimeoutMs, drainMs, noticeMs } = http;
  const fieldBytesMax = config.tokens.tokenBytesMax;
  const fileBytesMax = config.signing.bytesMax;
  const bodies = { bodyBytesMax, fieldBytesMax, fileBytesMax, bodiesInFlight };
  return {
    limits: { ...bodies, requestTimeoutMs, drainMs, noticeMs, ...(rate === undefined ? {} : { rate }) },
    isBehindTls,
    metricsAccess: metricsAccessOf(config),
    vendor: config.operations.vendor,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(trustedProxies === undefined ? {} : { trustedProxies }),
  };
};
