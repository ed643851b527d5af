import type { Session } from "./database.ts";
import { lockChain } from "./step-store.ts";
import type { Claim, Store } from "./store.ts";

/** More customers than this for one number say no more than these. */
const claimsMax = 10;
const purgedMax = 1000;

/** Whose a document's number is, by keyed hashes: the rows tell neither. */
export const makeClaimCommands = ({ db }: Session): Pick<Store, "findClaims" | "purgeClaims"> => ({
  findClaims: (tenantId, number) => customersOf(db, tenantId, number),

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

const customersOf = async (db: Session["db"], tenantId: string, number: string): Promise<string[]> => {
  // Primary key (tenant_id, number, customer), a range of it.
  const rows = await db
    .selectFrom("documentClaims")
    .select("customer")
    .where("tenantId", "=", tenantId)
    .where("number", "=", number)
    .orderBy("customer")
    .limit(claimsMax)
    .execute();
  return rows.map(({ customer }) => customer);
};

/**
 * Whether a number is nobody's but the customer's and those whose it was seen to be; that one of them was forgotten since
 * holds nobody up. Writers of one tenant queue here until commit, so that of two
 * customers who come with one number at once the second is seen.
 */
export const isClaimCurrent = async (
  session: Session,
  tenantId: string,
  { number, customer, seen }: Claim,
): Promise<boolean> => {
  await lockChain(session, tenantId);
  const known = [customer, ...seen];
  return (await customersOf(session.db, tenantId, number)).every((one) => known.includes(one));
};

/** Writes a claim, or renews it; inside the transaction that approves the document. */
export const claimNumber = async (
  { db }: Session,
  tenantId: string,
  { number, customer }: Claim,
  at: Date,
): Promise<void> => {
  // Primary key: a customer claims a number once.
  await db
    .insertInto("documentClaims")
    .values({ tenantId, number, customer, claimedAt: at.getTime() })
    .onConflict((conflict) =>
      conflict.columns(["tenantId", "number", "customer"]).doUpdateSet({ claimedAt: at.getTime() }),
    )
    .execute();
};
