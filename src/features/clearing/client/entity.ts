/** The clearing entity, as one environment of a tenant reaches it. */
export type EntityAccess = {
  /** Without a slash at the end. */
  readonly url: string;
  /** `user:password` of Basic authorization. */
  readonly basic: string;
  /** Code of the institution at the entity. */
  readonly institution: string;
  readonly timeoutMs: number;
};

/** The member whose pension is transferred. */
export type Affiliate = {
  readonly firstName: string;
  readonly paternalSurname: string;
  readonly maternalSurname: string;
  /** Digits of the RUT without its check character. */
  readonly rutNumber: string;
  /** `0` to `9` or `K`. */
  readonly rutCheck: string;
};

/** The verification that the entity opens. */
export type Verification = {
  readonly provider: string;
  readonly verifiedAt: Date;
  /** Address of the certificate with token and key. */
  readonly url: string;
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  readonly type: string;
  readonly code: string;
};

export type TicketRequest = {
  readonly affiliate: Affiliate;
  readonly verification: Verification;
  readonly requiresSecondVerification: boolean;
};

/**
 * What the entity states beside its answer. Its texts come from outside: they are shown as text and never
 * logged.
 */
export type EntityStatement = {
  readonly code?: number;
  readonly message?: string;
  readonly date?: string;
  readonly errors: readonly string[];
};

/**
 * The outcome of a call:
 * - `granted`: the ticket or token.
 * - `refused`: the entity answered that it did not act. `isAccess`: it refused the credentials.
 * - `not-sent`: the call certainly did not reach the entity.
 * - `unknown`: the entity may have acted. `isAnswered`: something answered that shows neither success nor a refusal.
 */
export type EntityOutcome =
  | { readonly kind: "granted"; readonly value: string; readonly statement: EntityStatement }
  | { readonly kind: "refused"; readonly isAccess: boolean; readonly statement: EntityStatement }
  | { readonly kind: "not-sent"; readonly cause: unknown }
  | {
      readonly kind: "unknown";
      readonly isAnswered: boolean;
      readonly statement?: EntityStatement;
      readonly cause: unknown;
    };

/**
 * Calls of the clearing entity. Implemented by {@link makeEntityClient}, client.ts. Neither call is ever
 * repeated here.
 */
export type EntityClient = {
  readonly requestTicket: (access: EntityAccess, request: TicketRequest) => Promise<EntityOutcome>;
  readonly requestToken: (access: EntityAccess, ticket: string) => Promise<EntityOutcome>;
};
