import type { BlobCommands } from "#machine/storage/blob-store";
import type { Objects } from "#machine/storage/objects";
import { sweepBlobs } from "#machine/storage/sealed-blobs";
import type { IdempotencyCommands } from "#record/idempotency/store/idempotency-store";
import type { Task } from "#record/jobs/schedule";
import type { MeasurementSeal } from "#record/transactions/measurement-seal";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { RetentionCommands } from "#record/transactions/store/retention-store";
import type { KeyCommands } from "#trust/key-ring/key-store";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import {
  type DestroyedStore,
  destroyedParts,
  type ErasedStore,
  type Erasure,
  erasedParts,
  removeErasedBodies,
  runParts,
  untilNone,
} from "./erasure.ts";
import type { Retention } from "./retention.ts";
import type { Store } from "./store.ts";
import { tables } from "./tables.ts";

type Keeping = (typeof tables)[number]["keep"];

/** The commands that remove rows beyond their retention, by table. */
type TidiedStore = Pick<
  Store,
  Extract<Keeping, { by: string }>["by"] | Extract<Keeping, { ofAllBy: string }>["ofAllBy"]
>;

export type TidyingDeps = {
  readonly objects: Objects;
  readonly store: TidiedStore &
    ErasedStore &
    DestroyedStore &
    Pick<RetentionCommands, "listPlainMeasurements" | "sealMeasurements"> &
    Pick<EvidenceCommands, "removeBodies"> &
    Pick<IdempotencyCommands, "forgetIdempotentCalls"> &
    BlobCommands &
    Pick<KeyCommands, "listKeys"> &
    Pick<TenantCommands, "listTenants">;
  readonly measurements: Pick<MeasurementSeal, "sealBytes">;
  readonly kept: Retention;
  readonly clock: () => Date;
  readonly newId: () => string;
};

export const tidyEveryMs = 3_600_000;

/** A call writes its row within its own time limit. One hour is far beyond that limit. */
const orphanAgeMs = 3_600_000;

const dayMs = 86_400_000;

/**
 * Tasks that remove data which is not needed any more: rows beyond their retention, table by table as each
 * declares, blobs that no row names, bodies of evidence, and what an interrupted erasure left. They also seal
 * measurements of earlier releases. When a task has ended, it uses the store no more.
 */
export const makeTidyingTasks = (deps: TidyingDeps): readonly Task[] => {
  const { objects, store, kept, clock } = deps;
  const before = (ageMs: number): Date => new Date(clock().getTime() - ageMs);
  const removeBodies = (tenantId: string, limit: Date): Promise<number> =>
    store.removeBodies(tenantId, limit, { id: deps.newId(), at: clock() });
  return [
    ...makePurges(deps),
    // After the rows that name the objects.
    (signal) => sweepBlobs(stoppable(objects, signal), store, before(orphanAgeMs)),
    // Whole days: a removal writes an entry of evidence, and so a tenant gets one a day and not one an hour.
    (signal) => purgeEach(store, removeBodies, startOfDay(before(kept.evidenceMs)), signal),
    (signal) => runParts(destroyedParts(store, signal), roundUnfinished),
    (signal) => finishErasures(deps, signal),
    (signal) => sealFormer(deps, signal),
  ];
};

/** Rows of any tenant are left, as in every outage of the store: perhaps no erasure ran. */
const roundUnfinished = (left: string, cause: unknown): Error =>
  new Error(`The tidying could not remove rows under destroyed keys: ${left}. The next round tries again.`, {
    cause,
  });

/**
 * A task for each table whose rows end by their age. It computes the limit once: rows that reach the age
 * meanwhile belong to the next round.
 */
export const makePurges = ({
  store,
  kept,
  clock,
}: Pick<TidyingDeps, "kept" | "clock"> & {
  readonly store: TidiedStore & Pick<TenantCommands, "listTenants">;
}): readonly Task[] => {
  const limitOf = (kind: keyof Retention | "now"): Date =>
    new Date(clock().getTime() - (kind === "now" ? 0 : kept[kind]));
  return tables.flatMap(({ keep }): readonly Task[] => {
    if ("ofAllBy" in keep) {
      return [
        (signal) => {
          const limit = limitOf(keep.for);
          return untilNone(() => store[keep.ofAllBy](limit), signal);
        },
      ];
    }
    return "by" in keep ? [(signal) => purgeEach(store, store[keep.by], limitOf(keep.for), signal)] : [];
  });
};

const purgeEach = async (
  store: Pick<TenantCommands, "listTenants">,
  remove: (tenantId: string, before: Date) => Promise<number>,
  limit: Date,
  signal: AbortSignal,
): Promise<void> => {
  for (const { id } of await store.listTenants()) await untilNone(() => remove(id, limit), signal);
};

const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);

/**
 * Removes or forgets what an interrupted erasure left, and bodies of calls that were answered during an
 * erasure.
 */
const finishErasures = async (deps: TidyingDeps, signal: AbortSignal): Promise<void> => {
  for (const erasure of erasuresOf(await deps.store.listKeys())) {
    const { tenantId, at } = erasure;
    await runParts({
      ...erasedParts(deps.store, erasure, signal),
      "answers of retries": () => untilNone(() => deps.store.forgetIdempotentCalls(tenantId, at), signal),
      "bodies of evidence": () => removeErasedBodies(deps, erasure, signal),
    });
  }
};

/** The newest erasure of each tenant: only an erasure destroys a data key. */
const erasuresOf = (keys: Awaited<ReturnType<KeyCommands["listKeys"]>>): readonly Erasure[] => {
  const newest = new Map<string, Date>();
  for (const { tenantId, destroyedAt } of keys) {
    if (destroyedAt !== undefined && destroyedAt >= (newest.get(tenantId) ?? destroyedAt)) {
      newest.set(tenantId, destroyedAt);
    }
  }
  return [...newest].map(([tenantId, at]) => ({ tenantId, at }));
};

/**
 * Seals the measurements that an earlier release stored in plain. After an interruption the next round
 * continues. A tenant whose keys do not open keeps no other waiting: the task fails at its end, with the
 * first error.
 */
const sealFormer = async (deps: TidyingDeps, signal: AbortSignal): Promise<void> => {
  const failed: { readonly id: string; readonly cause: unknown }[] = [];
  for (const { id } of await deps.store.listTenants()) {
    await untilNone(() => sealSome(deps, id), signal).catch((cause: unknown) => failed.push({ id, cause }));
  }
  const [first] = failed;
  if (first !== undefined) {
    const message = `Measurements of ${failed.length} tenants are not sealed yet: the first is ${first.id}`;
    throw new Error(message, { cause: first.cause });
  }
};

/** Seals the rows of one command. Returns how many. */
const sealSome = async ({ store, measurements }: TidyingDeps, tenantId: string): Promise<number> => {
  const sealed = [];
  for (const { measurements: former, ...call } of await store.listPlainMeasurements(tenantId)) {
    const { id } = call;
    sealed.push({ tenantId, id, sealedMeasurements: await measurements.sealBytes(call, former) });
  }
  await store.sealMeasurements(sealed);
  return sealed.length;
};

/** The same objects. Their list ends early when the signal aborts. */
const stoppable = (objects: Objects, signal: AbortSignal): Objects => ({
  ...objects,
  list: async function* () {
    for await (const object of objects.list()) {
      if (signal.aborted) return;
      yield object;
    }
  },
});
