import type { Config } from "#machine/config/config";

/**
 * What the operator of a production service should read about its proxy, at the start and in `idem doctor`;
 * undefined where there is nothing to say. Production speaks plain HTTP, so a proxy is in front of it.
 */
export const proxyNote = ({
  mode,
  http,
}: {
  readonly mode: Config["mode"];
  readonly http: Pick<Config["http"], "trustedProxies">;
}): string | undefined =>
  mode === "production" && (http.trustedProxies ?? []).length === 0
    ? "IDEM_TRUSTED_PROXIES names no proxy: every caller has the address of the proxy, so wrong keys of one caller use up the budget of all, and refusals of captures count against no private address"
    : undefined;
