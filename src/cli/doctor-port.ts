import type { Config } from "../config.ts";
import { type Finding, finding } from "./finding.ts";
import { explainListen, tryListen } from "./listening.ts";
import { fetchPublishedKeys } from "./tokens.ts";

/** Who has the configured port. `service`: one of this program, with the ids of the keys that it publishes. */
export type Listener =
  | { readonly kind: "nobody" }
  | { readonly kind: "program" }
  | { readonly kind: "closed"; readonly why: string }
  | { readonly kind: "service"; readonly keyIds: readonly string[] };

/** Where a caller on this machine reaches the service. */
export const localAddress = ({ http: { host, port } }: Config): string => {
  const all: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };
  const name = all[host] ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
};

export const findListener = async (config: Config): Promise<Listener> => {
  const refusal = await tryListen(config.http);
  if (refusal === undefined) {
    return { kind: "nobody" };
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

/** `isOurs`: whether the service there works on the store of these settings; undefined where the store cannot say. */
export const checkPort = (config: Config, listener: Listener, isOurs: boolean | undefined): Finding => {
  const { host, port } = config.http;
  const taken = (by: string): Finding =>
    finding("port", `${port} is taken by ${by}`, "Stop it, or set IDEM_PORT to another port.");
  if (listener.kind === "nobody") {
    return finding("port", `${port} on ${host} is free`);
  }
  if (listener.kind === "closed") {
    return finding("port", `${port} on ${host} cannot be opened`, listener.why);
  }
  if (listener.kind === "program") {
    return taken("another program");
  }
  if (isOurs === undefined) {
    return taken("Idem; of which deployment, the store cannot say");
  }
  return isOurs
    ? finding("port", `${port} is served by this deployment`)
    : taken("another deployment of Idem");
};
