/** What an earlier release answered on the store of the fixture. */
export type FormerStore = {
  /** A key of each tenant, with every scope of that release. They open nothing but the fixture. */
  readonly keys: readonly [string, string];
  readonly user: { readonly userId: string; readonly template: string };
  readonly identity: { readonly transactionId: string; readonly facial: unknown; readonly liveness: unknown };
  readonly documents: { readonly approved: Answered; readonly inReview: Answered };
  /** A validation that the process had acknowledged and not decided when it died. */
  readonly pending: string;
};

/** A decided document, with the answer of `data`. */
export type Answered = { readonly scanReference: string; readonly data: unknown };

export const tenants = ["Caja Ñandú", "Second"] as const;

/** The master key of the fixture: it protects drawn images alone. */
export const masterKey = Buffer.alloc(32, "idem upgrade fixture").toString("base64");
