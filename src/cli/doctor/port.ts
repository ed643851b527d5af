import type { Config } from "#machine/config/config";
import { fetchPublishedKeys } from "../admin/tokens.ts";
import { explainListen, tryListen } from "../serve/listening.ts";
import { type Finding, finding } from "./finding.ts";

/** The program at the configured port. `service`: an Idem service, with the ids of its published keys. */
export type Listener =
  | { readonly kind: "none" }
  | { readonly kind: "program" }
  | { readonly kind: "closed"; readonly why: string }
  | { readonly kind: "service"; readonly keyIds: readonly string[] };

/** The address of the service for a caller on this machine. */
export const localAddress = ({ http: { host, port } }: Config): string => {
  const all: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const name = all[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
};

export const findListener = async (config: Config): Promise<Listener> => {
  const refusal = await tryListen(config.http);
  if (refusal === undefined) {
    return { kind: "none" };
  }
  const isTaken = refusal instanceof Error && "code" in refusal && refusal.code === "EADDRINUSE";
  if (!isTaken) {
    return { kind: "closed", why: explainListen(refusal, config.http) };
  }
  return await fetchPublishedKeys(localAddress(config)).then(
    ({ keys }) => ({ kind: "service" as const, keyIds: keys.map(({ kid }) => kid) }),
    () => ({ kind: "program" as const }),
  );
};

/** `isOurs`: whether the service there uses the configured store; undefined where the store cannot answer. */
export const checkPort = (config: Config, listener: Listener, isOurs: boolean | undefined): Finding => {
  const { host, port } = config.http;
  const taken = (by: string): Finding =>
    finding("port", `${port} is taken by ${by}`, "Stop it, or set IDEM_PORT to another port.");
  if (listener.kind === "none") {
    return finding("port", `${port} on ${host} is free`);
  }
  if (listener.kind === "closed") {
    return finding("port", `${port} on ${host} cannot be opened`, listener.why);
  }
  if (listener.kind === "program") {
    return taken("another program");
  }
  if (isOurs === undefined) {
    return taken("Idem; the store does not answer whether it is this deployment");
  }
  return isOurs
    ? finding("port", `${port} is served by this deployment`)
    : taken("another deployment of Idem");
};
