import { randomBytes, timingSafeEqual } from "node:crypto";
import type { RegistryForm } from "./registries/registry-form.ts";
import type { SimulatorRequest } from "./simulator/simulator.ts";

/** The secrets of one sandbox, made at its start: they hold until it ends. */
export type SandboxSecrets = {
  /** The key, password or client secret of each registry by its name. */
  readonly ofRegistry: (name: string) => string;
  /** The access tokens of the OAuth server. */
  readonly accessToken: string;
};

const secret = (): string => randomBytes(24).toString("base64url");

export const makeSecrets = (names: readonly string[]): SandboxSecrets => {
  const known = new Map(names.map((name) => [name, secret()]));
  return {
    ofRegistry: (name) => {
      const found = known.get(name);
      if (found === undefined) throw new Error(`${name} is no simulator of this sandbox`);
      return found;
    },
    accessToken: secret(),
  };
};

/** The user of Basic credentials and the client of OAuth. */
export const sandboxUser = "idem-sandbox";

/** Whether a request carries the credentials that its registry demands. */
export const isCallerOf =
  (secrets: SandboxSecrets) =>
  ({ name, auth }: RegistryForm, { header }: SimulatorRequest): boolean => {
    if (auth.kind === "key") return isEqual(header(auth.header), secrets.ofRegistry(name));
    const right = auth.kind === "basic" ? basic(secrets.ofRegistry(name)) : `Bearer ${secrets.accessToken}`;
    return isEqual(header("authorization"), right);
  };

/** The value of an Authorization header with the user of the sandbox. */
export const basic = (password: string): string =>
  `Basic ${Buffer.from(`${sandboxUser}:${password}`).toString("base64")}`;

const isEqual = (given: string | undefined, right: string): boolean => {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
};
