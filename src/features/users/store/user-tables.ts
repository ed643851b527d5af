/**
 * Tables of faces. Each face is sealed under a key of its own, which the row holds sealed
 * (template-vault.ts). Times are milliseconds since 1970.
 */
import {
  bytes,
  defineTable,
  environment,
  int,
  orNull,
  type RowOf,
  sealed,
  sealedUnder,
  type TablesOf,
  text,
} from "#machine/storage/table";

const faceOf = (owner: string, boundBy: "row" | "owner" = "row") => ({
  keyId: text(),
  dataKeyId: text(),
  recogniser: text(),
  wrappedKey: sealed("templates", `person {${owner}} key`, { boundBy }),
  sealedTransform: sealed("secrets", `person {${owner}} transform`, { boundBy }),
  sealedTemplate: sealedUnder("wrappedKey", "person template", owner),
});

/** Registered users, under their pseudonyms. */
export const userTable = defineTable(
  "users",
  {
    tenantId: text(),
    pseudonym: text(),
    id: text(),
    environment: environment(),
    revision: int(),
    ...faceOf("id"),
    enrolledAt: int(),
    renewedAt: int(),
    failures: int(),
    pausedUntil: orNull(int()),
    disabledAt: orNull(int()),
  },
  {
    key: ["tenantId", "pseudonym"],
    erase: { underDestroyedKeys: "purgeUsers" },
    keep: { until: "the caller or the operator deletes the user" },
    rights: {
      open: "the template is encrypted and bound to the user and the environment; a pause, a disabling and the count of failures are beside it in plain",
    },
  },
);

/** Further references of registered users: sealed templates that joined after the enrolment. */
export const referenceTable = defineTable(
  "userReferences",
  { tenantId: text(), userId: text(), ...faceOf("userId", "owner"), addedAt: int() },
  {
    key: ["tenantId", "userId", "keyId"],
    erase: { goesWith: "users" },
    keep: { until: "with its user" },
    rights: { sealed: "the template is encrypted and bound to the user and the user's environment" },
  },
);

export const blockedFaceTable = defineTable(
  "blockedFaces",
  {
    tenantId: text(),
    id: text(),
    environment: environment(),
    ...faceOf("id"),
    sealedNote: sealed("templates", "blocked {id} note"),
    blockedAt: int(),
    seal: orNull(bytes("the check of rights")),
  },
  {
    key: ["tenantId", "id"],
    erase: { underDestroyedKeys: "purgeBlocked" },
    keep: { until: "the operator removes it" },
    rights: "seal",
  },
);

/** A registered user as its row has it. */
export type UserColumns = RowOf<typeof userTable>;

/** A further reference as its row has it. */
export type ReferenceColumns = RowOf<typeof referenceTable>;

export type UserTables = TablesOf<readonly [typeof userTable, typeof referenceTable]>;

/** The tables of the module. */
export const userTables = [userTable, referenceTable, blockedFaceTable] as const;
