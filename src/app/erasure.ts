/** The parts of an erasure that follow the destruction of a tenant's keys. Each part can run again. */

import { Failure } from "#contract/failure";
import { wordsOf } from "#machine/storage/create-table";
import { messageOf } from "#machine/storage/outage";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { RetentionCommands } from "#record/transactions/store/retention-store";
import type { DestinationCommands } from "#record/webhooks/store/destination-store";
import type { Store } from "./store.ts";
import { tables } from "./tables.ts";

/** The erasure of a tenant: everything from before `at` is erased. */
export type Erasure = { readonly tenantId: string; readonly at: Date };

type Erasing = (typeof tables)[number]["erase"];

/** The commands that remove rows under destroyed keys, by table. */
const underDestroyedKeys = tables.flatMap(({ name, erase }) =>
  "underDestroyedKeys" in erase ? [[wordsOf(name), erase.underDestroyedKeys] as const] : [],
);

/** The commands that remove a tenant's rows from before a time, by table. */
const erasedBy = tables.flatMap(({ name, erase }) =>
  "by" in erase ? [[wordsOf(name), erase.by] as const] : [],
);

/** The commands of {@link erasedParts}. */
export type ErasedStore = Pick<Store, Extract<Erasing, { by: string }>["by"]> &
  Pick<DestinationCommands, "forgetDestinations">;

/** The commands of {@link destroyedParts}. */
export type DestroyedStore = Pick<
  Store,
  Extract<Erasing, { underDestroyedKeys: string }>["underDestroyedKeys"]
>;

export type ErasureDeps = {
  readonly store: ErasedStore & DestroyedStore & Pick<EvidenceCommands, "removeBodies">;
  readonly clock: () => Date;
  readonly newId: () => string;
};

/**
 * One store command removes a limited number of rows. Repeats until it removes none, or the signal aborts.
 */
export const untilNone = async (remove: () => Promise<number>, signal?: AbortSignal): Promise<void> => {
  do {
    if (signal?.aborted === true) return;
  } while ((await remove()) > 0);
};

/**
 * Removes the rows of a tenant up to and including the moment of its erasure, by a command that removes those
 * before a time.
 */
const untilErased = (
  { tenantId, at }: Erasure,
  remove: (tenantId: string, before: Date) => Promise<number>,
  signal?: AbortSignal,
): Promise<void> => {
  const after = new Date(at.getTime() + 1);
  return untilNone(() => remove(tenantId, after), signal);
};

/** Removes the measurements of a tenant that an earlier release stored unsealed. */
export const forgetMeasurements = (
  store: Pick<RetentionCommands, "forgetPlainMeasurements">,
  tenantId: string,
): Promise<void> => untilNone(() => store.forgetPlainMeasurements(tenantId));

/**
 * Removes the rows of the tenant up to the erasure, table by table as each declares, and last the bodies of
 * evidence.
 */
export const finishErasure = async (
  deps: ErasureDeps,
  erasure: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  const { store } = deps;
  await runParts({
    ...destroyedParts(store, signal),
    ...erasedParts(store, erasure, signal),
    "bodies of evidence": () => removeErasedBodies(deps, erasure, signal),
  });
};

/**
 * What an erasure leaves, after every other part of it was removed: a sentence for the operator. The tidying
 * of a service tries it again.
 */
export class ErasureUnfinished extends Error {
  override readonly name = "ErasureUnfinished";
}

/** Parts of an erasure, by what each removes. */
export type ErasureParts = Readonly<Record<string, () => Promise<unknown>>>;

/** The error of parts that failed: their names in a list, and the first error. */
type Unfinished = (left: string, cause: unknown) => Error;

/** The sentence of a command, and of the tidying that finishes its erasure. */
const erasureUnfinished: Unfinished = (left, cause) =>
  new ErasureUnfinished(
    `The keys are destroyed, and the erasure is not complete: these rows of the tenant are left: ${left} (${reasonOf(cause)}). Run the command again. If it fails again: idem store verify`,
    { cause },
  );

/** Runs each part, also after one that failed. Throws what `unfinished` makes of the parts that failed. */
export const runParts = async (
  parts: ErasureParts,
  unfinished: Unfinished = erasureUnfinished,
): Promise<void> => {
  const failed = new Map<string, unknown>();
  for (const [part, remove] of Object.entries(parts)) {
    await remove().catch((cause: unknown) => failed.set(part, cause));
  }
  const [cause] = failed.values();
  if (failed.size === 0) return;
  throw unfinished([...failed.keys()].join(", "), cause);
};

const reasonOf = (error: unknown): string => messageOf(error instanceof Failure ? error.cause : error);

/** The parts over the rows of every tenant whose data key is destroyed. */
export const destroyedParts = (store: DestroyedStore, signal?: AbortSignal): ErasureParts =>
  Object.fromEntries(
    underDestroyedKeys.map(([part, command]) => [part, () => untilNone(store[command], signal)]),
  );

/** The parts that a command and the tidying have in common. */
export const erasedParts = (store: ErasedStore, erasure: Erasure, signal?: AbortSignal): ErasureParts => ({
  ...Object.fromEntries(
    erasedBy.map(([part, command]) => [part, () => untilErased(erasure, store[command], signal)]),
  ),
  destinations: () => store.forgetDestinations(erasure.tenantId, erasure.at),
});

/** Removes the bodies of evidence from before an erasure. Receipts stay. */
export const removeErasedBodies = (
  {
    store,
    clock,
    newId,
  }: Pick<ErasureDeps, "clock" | "newId"> & {
    readonly store: Pick<EvidenceCommands, "removeBodies">;
  },
  { tenantId, at }: Erasure,
  signal?: AbortSignal,
): Promise<void> => {
  const after = new Date(at.getTime() + 1);
  return untilNone(() => store.removeBodies(tenantId, after, { id: newId(), at: clock() }), signal);
};
