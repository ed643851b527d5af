import { requireDataKey } from "#machine/storage/data-key-lock";
import type { TablesOf } from "#machine/storage/table";
import type { Step } from "#record/transactions/record";
import { type StepSession, writeStep } from "#record/transactions/store/step-store";
import type { KeyTables } from "#trust/key-ring/key-store";
import type { Environment } from "../registry.ts";
import type { RegistryCount, RegistryOwner, RegistryPersonRow } from "./registry-person.ts";
import type { registryPersonTable, registryPhotoTable } from "./registry-person-tables.ts";

type Place = { tenantId: string; environment: Environment; country: string; hash: string };

export type RegistryPersonTables = TablesOf<readonly [typeof registryPersonTable, typeof registryPhotoTable]>;

/** Commands for the local civil registry; implemented by {@link makeRegistryPersonCommands}. */
export type RegistryPersonCommands = {
  readonly findRegistryPerson: (
    of: RegistryOwner,
    hash: string,
  ) => Promise<Pick<RegistryPersonRow, "sealed" | "sealedPhoto"> | undefined>;
  /** Whether the registry holds any person. */
  readonly holdsRegistryPersons: (of: RegistryOwner) => Promise<boolean>;
  /** The contents of the persons among up to 1000 hashes that are held. */
  readonly listRegistryContents: (
    of: RegistryOwner,
    hashes: readonly string[],
  ) => Promise<readonly Pick<RegistryPersonRow, "hash" | "content">[]>;
  /**
   * Writes up to 500 persons with different hashes, each in place of the person that has its hash. Fails with
   * store_unavailable when the tenant's data key was destroyed meanwhile.
   */
  readonly putRegistryPersons: (
    of: RegistryOwner,
    persons: readonly RegistryPersonRow[],
    at: Date,
  ) => Promise<void>;
  readonly countRegistryPersons: (tenantId: string) => Promise<readonly RegistryCount[]>;
  /** False, and nothing written, if this person is not held. */
  readonly removeRegistryPerson: (of: RegistryOwner, hash: string, step: Step) => Promise<boolean>;
  /** Removes up to 1000 persons of the registry. Returns how many. */
  readonly removeRegistryPersons: (of: RegistryOwner) => Promise<number>;
  /** Removes up to 1000 persons of the tenant that were written before `before`. Returns how many. */
  readonly purgeRegistryPersons: (tenantId: string, before: Date) => Promise<number>;
};

type RegistrySession = StepSession<RegistryPersonTables & KeyTables>;

/** Longest list that one command deletes, so that other commands wait only milliseconds for it. */
const removedMax = 1000;

/** The local civil registry. */
export const makeRegistryPersonCommands = (session: RegistrySession): RegistryPersonCommands => ({
  ...makeReading(session),

  putRegistryPersons: (of, persons, at) => put(session, of, persons, at),

  removeRegistryPerson: async (of, hash, step) => {
    if ((await remove(session, [{ ...placeOf(of), hash }])) === 0) return false;
    await writeStep(session, of.tenantId, step);
    return true;
  },

  removeRegistryPersons: async (of) => {
    // Primary key, a range of it.
    const rows = await session.db
      .selectFrom("registryPersons")
      .select(["tenantId", "environment", "country", "hash"])
      .where("tenantId", "=", of.tenantId)
      .where("environment", "=", of.environment)
      .where("country", "=", of.country)
      .limit(removedMax)
      .execute();
    return remove(session, rows);
  },

  purgeRegistryPersons: async (tenantId, before) => {
    // Index registry_persons_age, the oldest first.
    const rows = await session.db
      .selectFrom("registryPersons")
      .select(["tenantId", "environment", "country", "hash"])
      .where("tenantId", "=", tenantId)
      .where("importedAt", "<", before.getTime())
      .orderBy("importedAt")
      .limit(removedMax)
      .execute();
    return remove(session, rows);
  },
});

const placeOf = ({ tenantId, environment, country }: RegistryOwner) => ({ tenantId, environment, country });

const makeReading = (
  session: RegistrySession,
): Pick<
  RegistryPersonCommands,
  "findRegistryPerson" | "holdsRegistryPersons" | "listRegistryContents" | "countRegistryPersons"
> => ({
  findRegistryPerson: (of, hash) => find(session, of, hash),

  holdsRegistryPersons: async ({ tenantId, environment, country }) => {
    // Primary key, its first row.
    const row = await session.db
      .selectFrom("registryPersons")
      .select("hash")
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .where("country", "=", country)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },

  listRegistryContents: ({ tenantId, environment, country }, hashes) =>
    // Primary key, one probe for each hash.
    session.db
      .selectFrom("registryPersons")
      .select(["hash", "content"])
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .where("country", "=", country)
      .where("hash", "in", hashes)
      .execute(),

  countRegistryPersons: (tenantId) => count(session, tenantId),
});

const find = async (
  { db }: RegistrySession,
  { tenantId, environment, country }: RegistryOwner,
  hash: string,
): ReturnType<RegistryPersonCommands["findRegistryPerson"]> => {
  // Primary keys, one row of each table.
  const row = await db
    .selectFrom("registryPersons as person")
    .leftJoin("registryPhotos as photo", (join) =>
      join
        .onRef("photo.tenantId", "=", "person.tenantId")
        .onRef("photo.environment", "=", "person.environment")
        .onRef("photo.country", "=", "person.country")
        .onRef("photo.hash", "=", "person.hash"),
    )
    .select(["person.sealed as sealed", "photo.sealed as sealedPhoto"])
    .where("person.tenantId", "=", tenantId)
    .where("person.environment", "=", environment)
    .where("person.country", "=", country)
    .where("person.hash", "=", hash)
    .executeTakeFirst();
  return (
    row && {
      sealed: new Uint8Array(row.sealed),
      ...(row.sealedPhoto && { sealedPhoto: new Uint8Array(row.sealedPhoto) }),
    }
  );
};

const count = async ({ db }: RegistrySession, tenantId: string): Promise<readonly RegistryCount[]> => {
  const counted = (table: "registryPersons" | "registryPhotos") =>
    // Primary key, the tenant's range of it.
    db
      .selectFrom(table)
      .select(({ fn }) => ["environment", "country", fn.countAll().as("rows")])
      .where("tenantId", "=", tenantId)
      .groupBy(["environment", "country"])
      .orderBy("environment")
      .orderBy("country")
      .execute();
  const photos = await counted("registryPhotos");
  return (await counted("registryPersons")).map(({ environment, country, rows }) => ({
    environment,
    country,
    persons: Number(rows),
    photos: Number(
      photos.find((one) => one.environment === environment && one.country === country)?.rows ?? 0,
    ),
  }));
};

const put = async (
  session: RegistrySession,
  of: RegistryOwner,
  persons: readonly RegistryPersonRow[],
  at: Date,
): Promise<void> => {
  if (persons.length === 0) return;
  const { db } = session;
  for (const dataKeyId of new Set(persons.map((person) => person.dataKeyId))) {
    await requireDataKey(session, { tenantId: of.tenantId, dataKeyId });
  }
  const place = placeOf(of);
  // One order for all imports, so that two of them cannot wait for each other.
  const sorted = persons.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const importedAt = at.getTime();
  const rows = sorted.map(({ hash, content, dataKeyId, sealed }) => ({
    ...place,
    hash,
    content,
    dataKeyId,
    sealed,
    importedAt,
  }));
  // Primary key, one row for each person.
  await db
    .insertInto("registryPersons")
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "environment", "country", "hash"]).doUpdateSet((row) => ({
        content: row.ref("excluded.content"),
        dataKeyId: row.ref("excluded.dataKeyId"),
        sealed: row.ref("excluded.sealed"),
        importedAt: row.ref("excluded.importedAt"),
      })),
    )
    .execute();
  await removePhotos(
    session,
    rows.map(({ hash }) => ({ ...place, hash })),
  );
  const photos = sorted.flatMap(({ hash, sealedPhoto: sealed }) =>
    sealed === undefined ? [] : [{ ...place, hash, sealed }],
  );
  if (photos.length > 0) await db.insertInto("registryPhotos").values(photos).execute();
};

/** Removes these persons with their photos; returns how many were held. */
const remove = async (session: RegistrySession, rows: readonly Place[]): Promise<number> => {
  let removed = 0;
  await removePhotos(session, rows);
  for (const [{ tenantId, environment, country }, hashes] of byRegistry(rows)) {
    // Primary key, one row for each hash.
    const { numDeletedRows } = await session.db
      .deleteFrom("registryPersons")
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .where("country", "=", country)
      .where("hash", "in", hashes)
      .executeTakeFirst();
    removed += Number(numDeletedRows);
  }
  return removed;
};

const removePhotos = async ({ db }: RegistrySession, rows: readonly Place[]): Promise<void> => {
  for (const [{ tenantId, environment, country }, hashes] of byRegistry(rows)) {
    // Primary key, one row for each hash.
    await db
      .deleteFrom("registryPhotos")
      .where("tenantId", "=", tenantId)
      .where("environment", "=", environment)
      .where("country", "=", country)
      .where("hash", "in", hashes)
      .execute();
  }
};

/** The hashes of each registry. */
const byRegistry = (rows: readonly Place[]) =>
  [...Map.groupBy(rows, ({ environment, country }) => `${environment} ${country}`).values()].map(
    (group) => [group[0]!, group.map(({ hash }) => hash)] as const,
  );
