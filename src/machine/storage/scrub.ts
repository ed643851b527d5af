import { setTimeout } from "node:timers/promises";
import { Failure } from "#contract/failure";
import type { BlobCommands, StatedObject } from "./blob-store.ts";
import type { Keyring } from "./blobs.ts";
import { judgeObject, type ObjectFault, sha256Of } from "./judge-object.ts";
import type { Objects } from "./objects.ts";
import { type ReadObject, readObject } from "./read-object.ts";
import type { DamagedBlob, Scrub, ScrubCommands, ScrubPlace, ScrubStep } from "./scrub-store.ts";
import { contextOf } from "./sealed-blobs.ts";

export type ScrubDeps = {
  readonly store: ScrubCommands & Pick<BlobCommands, "listBlobs" | "findBlob" | "hashBlob">;
  readonly objects: Pick<Objects, "read" | "list">;
  readonly keyring: Pick<Keyring, "open">;
  /** Bytes that are read in a second; 0: never. */
  readonly bytesPerSecond: number;
  /** The process, for the lease. */
  readonly worker: string;
  readonly clock: () => Date;
  readonly onDamage: (blob: Omit<DamagedBlob, "foundAt">) => void;
  readonly onRound: (round: { readonly checked: number; readonly damaged: number }) => void;
  /** After each step, and once a minute where nothing is due: for the metrics of every process. */
  readonly onState: (state: { readonly scrub: Scrub | undefined; readonly damagedNow: number }) => void;
  readonly onError: (error: unknown) => void;
};

/** The loop of a process. Made by {@link makeScrub}. */
export type ScrubLoop = { readonly start: () => void; readonly stop: () => Promise<void> };

/**
 * Time from the start of a round to the start of the next one. Our choice: OpenZFS and Linux md ship monthly
 * scrubs for whole disks; a week names damage while daily backups from before it are still kept.
 */
export const roundEveryMs = 7 * 86_400_000;

/** Objects of one step: what a kill makes the next process read again. */
const stepMax = 16;

/** After this many bytes a step ends, with one object of 64 MiB more at most. */
const stepBytesMax = 8 * 1024 * 1024;

/**
 * Longer than a step at 64 kB a second: 19 minutes. At a slower rate another process may take the same step
 * once more.
 */
const leaseMs = 3_600_000;

/** Pause where no round is due, another process has the lease, or the storage does not answer. */
const pauseMs = 60_000;

/**
 * Compares every stored object with its row, round after round, at a bounded rate, and goes on where a former
 * process ended. A row of an earlier release gets its hash here, once its object opens. One process of a
 * deployment does this at a time.
 */
export const makeScrub = (deps: ScrubDeps): ScrubLoop => {
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const bytes = await stepAndState(deps).catch((error: unknown) => {
        deps.onError(error);
        return undefined;
      });
      const waitMs = bytes === undefined ? pauseMs : (bytes / deps.bytesPerSecond) * 1000;
      await setTimeout(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined);
    }
  };
  return {
    start: () => {
      if (deps.bytesPerSecond > 0) loop ??= run();
    },
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
};

const stepAndState = async (deps: ScrubDeps): Promise<number | undefined> => {
  const bytes = await scrubStep(deps);
  const [scrub, { count: damagedNow }] = await Promise.all([
    deps.store.readScrub(),
    deps.store.listDamaged(0),
  ]);
  deps.onState({ scrub, damagedNow });
  return bytes;
};

/**
 * One step of a round. Returns the bytes that it read; undefined where nothing is due, or another process has
 * the lease.
 */
export const scrubStep = async (deps: ScrubDeps): Promise<number | undefined> => {
  const { store, worker, clock } = deps;
  const now = clock();
  const lease = { worker, now, until: new Date(now.getTime() + leaseMs) };
  const place = await store.leaseScrub(lease);
  if (place === undefined) return undefined;
  if (isComplete(place)) {
    const isDue = now.getTime() - place.startedAt.getTime() >= roundEveryMs;
    return isDue && (await store.beginScrub(lease)) ? 0 : undefined;
  }
  const page = await store.listBlobs(place.after, stepMax);
  const { bytes, ...found } = await checkPage(deps, page);
  const after = page[found.checked - 1];
  const at = clock();
  const step = {
    ...found,
    worker,
    at,
    until: new Date(at.getTime() + leaseMs),
    ...(after && { after: { tenantId: after.tenantId, id: after.id } }),
  };
  const isMoved = await store.moveScrub(step);
  if (isMoved) {
    found.damaged.forEach(deps.onDamage);
    if (after === undefined) deps.onRound(place);
  }
  return bytes;
};

/** The round that the row describes has ended. */
const isComplete = ({ startedAt, completed }: ScrubPlace): boolean =>
  completed !== undefined && completed.at >= startedAt;

const checkPage = async (deps: ScrubDeps, page: readonly StatedObject[]) => {
  const damaged: ScrubStep["damaged"][number][] = [];
  const whole: { readonly tenantId: string; readonly id: string }[] = [];
  let bytes = 0;
  let checked = 0;
  for (const row of page) {
    if (bytes >= stepBytesMax) break;
    checked += 1;
    const name = { tenantId: row.tenantId, id: row.id };
    const object = await readObject({ ...deps, listBlobs: deps.store.listBlobs }, name);
    bytes += object instanceof Uint8Array ? object.length : 0;
    const fault = await judgeRow(deps, row, object);
    if (fault === undefined) whole.push(name);
    // Its row, and then its object, may have been removed since the page was read.
    else if ((await deps.store.findBlob(name)) !== undefined) damaged.push({ ...name, fault });
  }
  return { bytes, checked, damaged, whole };
};

const judgeRow = async (
  { store, keyring }: ScrubDeps,
  row: StatedObject,
  object: ReadObject,
): Promise<ObjectFault | "unopened" | undefined> => {
  const fault = await judgeObject(row, object);
  if (fault !== undefined || row.sha256 !== undefined || !(object instanceof Uint8Array)) return fault;
  // A row of an earlier release has no hash: the seal shows a change.
  const opened = await opensAs(keyring, row, object);
  if (opened === "whole") await store.hashBlob(row, await sha256Of(object));
  return opened === "damaged" ? "unopened" : undefined;
};

/** Whether the seal of an object is whole; sealed: its data key was destroyed, and nothing shows a change. */
export const opensAs = async (
  keyring: Pick<Keyring, "open">,
  { tenantId, id }: StatedObject,
  object: Uint8Array,
): Promise<"whole" | "damaged" | "sealed"> => {
  try {
    await keyring.open(tenantId, "images", object, contextOf(id));
    return "whole";
  } catch (error) {
    if (error instanceof Failure && error.code === "stored_damaged") return "damaged";
    if (error instanceof Failure && error.code === "not_found") return "sealed";
    throw error;
  }
};
