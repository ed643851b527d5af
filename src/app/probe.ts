/** Tries a store without changing it, for `idem doctor`. */
import { randomUUID } from "node:crypto";
import { type BlockedCount, countBlocked } from "#features/users/store/face-list-store";
import type { PostgresAddress } from "#machine/storage/postgres-store";
import {
  type Probe,
  type Trial,
  probePostgres as tryPostgres,
  probeSqlite as trySqlite,
} from "#machine/storage/probe";
import { makeScrubCommands, type Scrub, type ScrubCommands } from "#machine/storage/scrub-store";
import { makeAttemptCommands } from "#record/webhooks/store/attempt-store";
import { makeSecretCommands } from "#trust/key-ring/secret-store";
import { migrations, type Tables } from "./tables.ts";

type Found = {
  /** The deployment's secret of the wanted name, sealed. */
  readonly secret?: Uint8Array;
  /** How many faces are blocked, by the recogniser of their templates. */
  readonly blocked: readonly BlockedCount[];
  /** Since when a delivery is due that any delivering process could send. */
  readonly deliverySince?: Date;
  /** The scrub of stored objects, and what it found damaged. */
  readonly objects: ObjectState;
};

/** What the service last found of the stored objects. `scrub` is absent before its first round. */
export type ObjectState = {
  readonly scrub?: Scrub;
  readonly damaged: Awaited<ReturnType<ScrubCommands["listDamaged"]>>;
};

/** The result of a trial; where migrations are missing, nothing else was tried. */
export type StoreProbe = { readonly isCurrent: boolean } & Partial<Found>;

/** Tries the file of the embedded store, which must exist. */
export const probeSqlite = async (path: string, secretName: string): Promise<StoreProbe> =>
  flat(await trySqlite(path, trialOf(secretName)));

/** Tries a PostgreSQL database. */
export const probePostgres = async (address: PostgresAddress, secretName: string): Promise<StoreProbe> =>
  flat(await tryPostgres(address, trialOf(secretName)));

/** Damaged objects that are named. */
const damagedMax = 3;

const flat = (probe: Probe<Found>): StoreProbe =>
  probe.isCurrent ? { isCurrent: true, ...probe.found } : { isCurrent: false };

const trialOf = (secretName: string): Trial<Tables, Found> => ({
  migrations,
  // A row that gives no right: others are sealed, and this process has no key of the seals.
  write: (session) =>
    makeSecretCommands(session).replaceSecret(`idem doctor ${randomUUID()}`, undefined, new Uint8Array(1)),
  read: async (session) => {
    const secret = await makeSecretCommands(session).findSecret(secretName);
    const { dueSince } = await makeAttemptCommands(session).readQueue(new Date(), 0);
    const scrubbing = makeScrubCommands(session);
    const scrub = await scrubbing.readScrub();
    return {
      objects: { ...(scrub && { scrub }), damaged: await scrubbing.listDamaged(damagedMax) },
      blocked: await countBlocked(session),
      ...(secret && { secret }),
      ...(dueSince && { deliverySince: dueSince }),
    };
  },
});
