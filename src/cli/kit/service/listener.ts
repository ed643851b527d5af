import type { Config } from "#machine/config/config";
import { explainListen, tryListen } from "./listening.ts";
import { fetchPublishedKeys } from "./published-keys.ts";

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
