import type { RespondToRequest } from "#trust/timestamps/respond";
import { isCallerOf, makeSecrets, type SandboxSecrets, sandboxUser } from "./credentials.ts";
import { oauthName, oauthSpec } from "./oauth.ts";
import { makeFindPerson } from "./persons/persons.ts";
import { makeReceiverSpec } from "./receiver.ts";
import { type PhotoOf, registryForms, registrySpec } from "./registries/registry-simulator.ts";
import { type Simulator, startSimulator } from "./simulator/simulator.ts";
import { timeStampSpec } from "./time-stamps.ts";

export type SandboxOptions = {
  /** The first of the ports in a row, one for each simulator; 0 takes free ones. */
  readonly port: number;
  readonly photoOf: PhotoOf;
  readonly respondTimeStamp: RespondToRequest;
  /** Starts the simulator of the clearing entity. If absent, the sandbox has none. */
  readonly startClearing?: (options: { readonly basic: string; readonly port: number }) => Promise<Simulator>;
};

/** All simulators of this machine, listening. */
export type Sandbox = {
  /** The seven registries first. */
  readonly simulators: readonly Simulator[];
  readonly secrets: SandboxSecrets;
  /** `user:password` of the clearing entity. */
  readonly clearingBasic: string;
  readonly urlOf: (name: string) => string;
  /** Ends all of them, with their open connections. */
  readonly close: () => Promise<void>;
};

export const clearingName = "clearing";
export const timeStampsName = "time-stamps";

/** Starts every simulator at once; where one cannot start, the others end and the error is thrown. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { port, photoOf, respondTimeStamp, startClearing } = options;
  const secrets = makeSecrets([...registryForms.map(({ name }) => name), oauthName, clearingName]);
  const deps = { findPerson: makeFindPerson(), photoOf, isCaller: isCallerOf(secrets) };
  const specs = [
    ...registryForms.map((form) => registrySpec(form, deps)),
    oauthSpec(secrets),
    timeStampSpec(respondTimeStamp),
    makeReceiverSpec(),
  ];
  const clearingBasic = `${sandboxUser}:${secrets.ofRegistry(clearingName)}`;
  const portOf = (at: number): number => (port === 0 ? 0 : port + at);
  const starting = [
    ...specs.map((spec, at) => startSimulator(spec, portOf(at))),
    ...(startClearing === undefined
      ? []
      : [startClearing({ basic: clearingBasic, port: portOf(specs.length) })]),
  ];
  const settled = await Promise.allSettled(starting);
  const simulators = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const close = async (): Promise<void> => void (await Promise.all(simulators.map((one) => one.close())));
  const failed = settled.find((one) => one.status === "rejected");
  if (failed !== undefined) {
    await close();
    throw failed.reason;
  }
  return {
    simulators,
    secrets,
    clearingBasic,
    urlOf: (name) => {
      const found = simulators.find((one) => one.name === name);
      if (found === undefined) throw new Error(`No simulator has the name ${name}`);
      return found.url;
    },
    close,
  };
};
