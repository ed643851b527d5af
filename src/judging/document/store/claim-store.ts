import type { TablesOf } from "#machine/storage/table";
import { lockChain, type StepSession } from "#record/transactions/store/step-store";
import type { claimTable } from "./document-tables.ts";
import type { Claim } from "./validation.ts";

/** The columns `number` and `customer` hold keyed hashes: `numberHash` and `customerHash` of a claim. */
export type ClaimTables = TablesOf<readonly [typeof claimTable]>;

/** Commands for the owners of document numbers; implemented by {@link makeClaimCommands}. */
export type ClaimCommands = {
  /** Hashes of the customers who claimed this number hash, at most 10. */
  readonly findClaims: (tenantId: string, numberHash: string) => Promise<readonly string[]>;
  /** Deletes up to 1000 claims last renewed before `before`; returns how many. */
  readonly purgeClaims: (before: Date) => Promise<number>;
};

type ClaimSession = StepSession<ClaimTables>;

/** More customers than this for one number add no information. */
const claimsMax = 10;
const purgedMax = 1000;

/** The customers of a document's number, as keyed hashes: the rows reveal neither. */
export const makeClaimCommands = ({ db }: ClaimSession): ClaimCommands => ({
  findClaims: (tenantId, numberHash) => customersOf(db, tenantId, numberHash),

  purgeClaims: async (before) => {
    // Index document_claims_age, oldest first.
    const { numDeletedRows } = await db
      .deleteFrom("documentClaims")
      .where((row) =>
        row(
          row.refTuple("tenantId", "number", "customer"),
          "in",
          row
            .selectFrom("documentClaims as old")
            .select(["old.tenantId", "old.number", "old.customer"])
            .where("old.claimedAt", "<", before.getTime())
            .orderBy("old.claimedAt")
            .limit(purgedMax)
            .$asTuple("tenantId", "number", "customer"),
        ),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  },
});

const customersOf = async (
  db: ClaimSession["db"],
  tenantId: string,
  numberHash: string,
): Promise<string[]> => {
  // Primary key (tenant_id, number, customer), a range of it.
  const rows = await db
    .selectFrom("documentClaims")
    .select("customer")
    .where("tenantId", "=", tenantId)
    .where("number", "=", numberHash)
    .orderBy("customer")
    .limit(claimsMax)
    .execute();
  return rows.map(({ customer }) => customer);
};

/**
 * Whether every customer with a claim of the number is this customer or is in `seen`. A customer in `seen`
 * may have lost the claim since. Writers of one tenant wait here until commit: of two customers who send the
 * same number at the same time, the second sees the first.
 */
export const isClaimCurrent = async (
  session: ClaimSession,
  tenantId: string,
  { numberHash, customerHash, seen }: Claim,
): Promise<boolean> => {
  await lockChain(session, tenantId);
  const known = [customerHash, ...seen];
  return (await customersOf(session.db, tenantId, numberHash)).every((one) => known.includes(one));
};

/** Writes or renews a claim, inside the transaction that approves the document. */
export const claimNumber = async (
  { db }: ClaimSession,
  tenantId: string,
  { numberHash, customerHash }: Claim,
  at: Date,
): Promise<void> => {
  // Primary key: a customer claims a number once.
  await db
    .insertInto("documentClaims")
    .values({ tenantId, number: numberHash, customer: customerHash, claimedAt: at.getTime() })
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "number", "customer"]).doUpdateSet({ claimedAt: at.getTime() }),
    )
    .execute();
};
