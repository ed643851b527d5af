import { requireLiveKeys } from "#machine/storage/data-key-lock";
import type { Session } from "#machine/storage/database";
import type { TablesOf } from "#machine/storage/table";
import { judgeToken, type TokenState } from "./judge-token.ts";
import type { destinationTokenTable } from "./webhook-tables.ts";

/** The OAuth token of a destination, and the lease of the worker that renews it. */
export type TokenTables = TablesOf<readonly [typeof destinationTokenTable]>;

export type TokenName = { readonly tenantId: string; readonly destinationId: string };

export type StoredToken = {
  /** Counts the tokens of a destination. */
  readonly serial: number;
  readonly sealed: Uint8Array;
  readonly refreshAt: Date;
  readonly expiresAt: Date;
};

/** A worker that needs a token. */
export type TokenClaim = TokenName & {
  /** Of the destination: a token of an earlier revision may belong to other credentials. */
  readonly revision: number;
  /** The token that the receiver refused; it and earlier ones are not used again. */
  readonly refusedSerial?: number;
  readonly now: Date;
  readonly holder: string;
  readonly leasedUntil: Date;
};

/**
 * `claimed`: this worker renews the token. `held`: another one does. Both with the token that works until
 * then.
 */
export type ClaimedToken =
  | { readonly kind: "fresh"; readonly token: StoredToken }
  | { readonly kind: "claimed" | "held"; readonly token?: StoredToken };

/** Commands for OAuth tokens of destinations; implemented by {@link makeTokenCommands}. */
export type TokenCommands = {
  /** Of workers at the same moment, in any process, one gets `claimed`. */
  readonly claimToken: (claim: TokenClaim) => Promise<ClaimedToken>;
  /**
   * Stores the new token, ends the lease and returns the token's serial. Undefined, and nothing written,
   * where the holder lost the lease.
   */
  readonly keepToken: (
    held: TokenName & Pick<TokenClaim, "holder" | "revision">,
    token: Omit<StoredToken, "serial">,
  ) => Promise<number | undefined>;
  /** Ends the lease without a token. Until `pausedUntil` no worker renews while the former token works. */
  readonly releaseToken: (held: TokenName & Pick<TokenClaim, "holder">, pausedUntil?: Date) => Promise<void>;
};

type TokenSession = Session<TokenTables>;

/** OAuth tokens, sealed, one for each destination. */
export const makeTokenCommands = (session: TokenSession): TokenCommands => ({
  claimToken: (claim) => claimOne(session, claim),

  keepToken: async (held, { sealed, refreshAt, expiresAt }) => {
    await requireLiveKeys(session, held.tenantId, sealed);
    const row = await heldRow(session, held)
      .set((of) => ({
        serial: of("serial", "+", 1),
        revision: held.revision,
        sealedToken: sealed,
        refreshAt: refreshAt.getTime(),
        expiresAt: expiresAt.getTime(),
        leasedBy: null,
        leasedUntil: 0,
      }))
      .returning("serial")
      .executeTakeFirst();
    return row?.serial;
  },

  releaseToken: async (held, pausedUntil) => {
    await heldRow(session, held)
      .set({ leasedBy: null, leasedUntil: pausedUntil?.getTime() ?? 0 })
      .execute();
  },
});

/** Primary key, one row. */
const heldRow = (
  { db }: TokenSession,
  { tenantId, destinationId, holder }: TokenName & Pick<TokenClaim, "holder">,
) =>
  db
    .updateTable("destinationTokens")
    .where("tenantId", "=", tenantId)
    .where("destinationId", "=", destinationId)
    .where("leasedBy", "=", holder);

const claimOne = async (session: TokenSession, claim: TokenClaim): Promise<ClaimedToken> => {
  const { tenantId, destinationId, now } = claim;
  // Primary key: the first worker makes the row.
  await session.db
    .insertInto("destinationTokens")
    .values({
      tenantId,
      destinationId,
      serial: 0,
      revision: claim.revision,
      sealedToken: null,
      refreshAt: 0,
      expiresAt: 0,
      leasedBy: null,
      leasedUntil: 0,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // Primary key, one row, locked until commit: a second worker waits and sees the lease of the first.
  const row = await session.db
    .selectFrom("destinationTokens")
    .selectAll()
    .where("tenantId", "=", tenantId)
    .where("destinationId", "=", destinationId)
    .$if(session.locksRows, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const { kind, works } = judgeToken(row, { ...claim, now: now.getTime() });
  const token = works && row.sealedToken !== null ? tokenOf(row, row.sealedToken) : undefined;
  if (kind === "fresh" && token !== undefined) return { kind, token };
  if (kind === "held") return { kind, ...(token && { token }) };
  await takeLease(session, claim);
  return { kind: "claimed", ...(token && { token }) };
};

const takeLease = async (
  { db }: TokenSession,
  { tenantId, destinationId, holder, leasedUntil }: TokenClaim,
): Promise<void> => {
  // Primary key, one row, locked by `claimOne`.
  await db
    .updateTable("destinationTokens")
    .set({ leasedBy: holder, leasedUntil: leasedUntil.getTime() })
    .where("tenantId", "=", tenantId)
    .where("destinationId", "=", destinationId)
    .execute();
};

const tokenOf = ({ serial, refreshAt, expiresAt }: TokenState, sealed: Uint8Array): StoredToken => ({
  serial,
  sealed: new Uint8Array(sealed),
  refreshAt: new Date(refreshAt),
  expiresAt: new Date(expiresAt),
});
