/**
 * Composition of transfers through the clearing entity: the client, the loop of their jobs, the operator's
 * endpoints.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { hashApiKey } from "#contract/api-key";
import { makeEntityClient } from "#features/clearing/client/client";
import { transferEndpoints } from "#features/clearing/http/transfer.endpoint";
import type { IssueToken } from "#features/clearing/issue-token";
import type { ReadRut } from "#features/clearing/transfers/affiliate";
import type { FindEntity, IsKeyOf } from "#features/clearing/transfers/run-transfer";
import { makeTransferSealing } from "#features/clearing/transfers/sealed-transfer";
import { makeTransferJobs, transferLoopOptions } from "#features/clearing/transfers/transfer-jobs";
import { makeTransfers } from "#features/clearing/transfers/transfers";
import { chileRun } from "#judging/document/values/numbers/chile";
import { type LeaseLoop, makeLeaseLoop } from "#record/jobs/lease-loop";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { byEnvironment } from "./by-environment.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import type { ReadyConfig, Storage } from "./storage.ts";

export type TransferParts = Pick<Parts, "lock" | "egress" | "clock" | "report"> & {
  readonly storage: Pick<Storage, "store" | "keyring">;
  readonly config: Pick<ReadyConfig, "clearing" | "egress">;
};

const readRut: ReadRut = (text) => {
  const { validity, canonical } = chileRun.read(text);
  return validity === "valid" ? canonical : undefined;
};

/**
 * An active key of the tenant and environment with the scope certificate alone: the entity gets it in an
 * address.
 */
export const makeIsKeyOf =
  (store: Pick<TenantCommands, "findApiKey">, clock: () => Date): IsKeyOf =>
  async ({ tenantId, environment }, key) => {
    const found = await store.findApiKey(hashApiKey(key));
    return (
      found !== undefined &&
      found.tenantId === tenantId &&
      found.environment === environment &&
      found.scopes.every((scope) => scope === "certificate") &&
      found.revokedAt === undefined &&
      (found.expiresAt === undefined || found.expiresAt > clock())
    );
  };

const openLoop = (parts: TransferParts, issueToken: IssueToken, findEntity: FindEntity): LeaseLoop => {
  const { storage, config, egress, lock, clock, report } = parts;
  const { timeoutMs, isRepeatable, provider, verificationType } = config.clearing;
  const entity = makeEntityClient({
    egress,
    isProxied: config.egress.proxy !== undefined,
  });
  return makeLeaseLoop({
    jobs: makeTransferJobs({
      store: storage.store,
      sealing: makeTransferSealing(storage.keyring),
      entity,
      findEntity,
      isKeyOf: makeIsKeyOf(storage.store, clock),
      issueToken,
      settings: { timeoutMs, isRepeatable, provider, verificationType },
      holder: `${hostname()}/${process.pid}/${randomUUID()}`,
      clock,
      newId: randomUUID,
      onCallFailed: (id, cause) => report("clearing", "A call of the clearing entity failed", cause, id),
    }),
    clock,
    lock,
    random: Math.random,
    onError: (operation, job, error) =>
      report("clearing", `Could not ${operation === "run" ? "transfer" : operation}`, error, job?.id),
    options: transferLoopOptions,
  });
};

/** Opens transfers. Where no environment has an entity, there is no loop, and each creation is refused. */
export const openClearingTransfers = (parts: TransferParts, issueToken: IssueToken): Module => {
  const { storage, config, clock } = parts;
  const { live, test } = config.clearing.entities;
  const findEntity: FindEntity = byEnvironment(test, live);
  const loop = live === undefined && test === undefined ? undefined : openLoop(parts, issueToken, findEntity);
  const transfers = makeTransfers({
    store: storage.store,
    sealing: makeTransferSealing(storage.keyring),
    issueToken,
    findEntity,
    isKeyOf: makeIsKeyOf(storage.store, clock),
    readRut,
    clock,
    newId: randomUUID,
    wake: () => loop?.wake(),
  });
  return {
    name: "clearing-transfers",
    endpoints: transferEndpoints({ transfers, newId: randomUUID }),
    ...(loop !== undefined && { jobs: [loop] }),
  };
};
