import { readFileSync } from "node:fs";
import { openStore } from "#app/storage";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { createKey } from "#cli/kit/store/first-key";
import { type Scope, scopes } from "#contract/scope";
import { readConfig } from "#machine/config/config";
import { sealToken } from "#trust/tokens/seal";
import type { TokenKind } from "#trust/tokens/token";
import { type Contract, type Operation, readContract } from "../../scripts/contract/read-contract.ts";
import { makeFirstTenant } from "../harness/first-tenant.ts";
import { persons } from "../harness/images.ts";
import { type Harness, makeHarness } from "../harness/service.ts";
import { type Exchange, makeExchange } from "./exchange.ts";
import { type JudgeAnswer, makeJudgeAnswer } from "./judge-answer.ts";

export type Keys = {
  /** All scopes, in the test environment of the first tenant. */
  readonly all: string;
  readonly ofScope: ReadonlyMap<Scope, string>;
  /** All scopes, of the first tenant's live environment. */
  readonly live: string;
  /** All scopes, of another tenant. */
  readonly otherTenant: string;
  readonly revoked: string;
};

/** A service under attack, with everything that an attacker holds. */
export type Target = {
  readonly service: ServiceProcess;
  readonly port: number;
  readonly keys: Keys;
  readonly contract: Contract;
  /** The operation of an `operationId`; throws where there is none. */
  readonly operation: (id: string) => Operation;
  readonly exchange: Exchange;
  readonly judge: JudgeAnswer;
  readonly seal: (kind: TokenKind, payload?: Uint8Array, ageMs?: number) => Promise<string>;
  /** Sent wherever a text may stand; it must never appear in the log, in a metric or in a refusal. */
  readonly canary: string;
  readonly close: () => Promise<void>;
};

const canary = "canary-4417-ñandú";

/** Creates all keys before the first start: the embedded store has one owner. */
const makeKeys = async (directory: string): Promise<Omit<Keys, "all">> => {
  await makeFirstTenant({ IDEM_DATA: directory });
  const { store, close } = await openStore(readConfig({ IDEM_DATA: directory }));
  const [first] = await store.listTenants();
  if (first === undefined) throw new Error("The first start made no tenant");
  const other = await store.createTenant({ id: crypto.randomUUID(), name: "Other", createdAt: new Date() });
  const make = (tenantId: string, some: readonly Scope[], environment: "test" | "live" = "test") =>
    createKey(store, { tenantId, name: "attack", environment, scopes: some });
  const ofScope = new Map<Scope, string>();
  for (const scope of scopes) ofScope.set(scope, (await make(first.id, [scope])).key);
  const live = await make(first.id, scopes, "live");
  const revoked = await make(first.id, scopes);
  await store.revokeApiKey(first.id, revoked.id, new Date());
  const otherTenant = await make(other.id, scopes);
  await close();
  return { ofScope, live: live.key, otherTenant: otherTenant.key, revoked: revoked.key };
};

const start = async (harness: Harness, settings: Readonly<Record<string, string>>): Promise<Target> => {
  const made = await makeKeys(harness.directory);
  const service = await harness.start({ IDEM_LOG_LEVEL: "info", ...settings });
  const published = await fetchPublishedKeys(service.url);
  const contract = readContract(readFileSync(new URL("../../api/openapi.yaml", import.meta.url), "utf8"));
  const { exchange, close } = makeExchange(service.url);
  return {
    service,
    port: Number(new URL(service.url).port),
    keys: { all: service.apiKey, ...made },
    contract,
    operation: (id) => {
      const found = contract.operations.find((one) => one.id === id);
      if (found === undefined) throw new Error(`The contract has no operation ${id}`);
      return found;
    },
    exchange,
    judge: makeJudgeAnswer(),
    seal: (kind, payload = persons.selfie, ageMs = 0) =>
      sealToken({ keys: published, kind, payload, now: new Date(Date.now() - ageMs) }),
    canary,
    close: async () => {
      close();
      await harness.clear();
    },
  };
};

/** Starts a service on a fresh embedded store. */
export const startTarget = async (settings: Readonly<Record<string, string>> = {}): Promise<Target> => {
  const harness = await makeHarness();
  try {
    return await start(harness, settings);
  } catch (error) {
    await harness.clear();
    throw error;
  }
};
