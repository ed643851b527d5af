import type { Caller, Scope } from "#contract/endpoint";
import type { FaceListCommands } from "./face-list.ts";
import type { ListedDocumentCommands } from "./listed-document.ts";
import type { PeopleCommands } from "./person.ts";
import type { ReviewCommands } from "./review.ts";

/** Any JSON value; rows keep such values as text. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type Tenant = { readonly id: string; readonly name: string; readonly createdAt: Date };

/** `hash` is the SHA-256 of the whole key in hex: the key itself is never stored. */
export type ApiKey = {
  readonly id: string;
  readonly tenantId: string;
  readonly hash: string;
  readonly name: string;
  readonly world: Caller["world"];
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  readonly lastUsedAt?: Date;
};

/** A workflow event that becomes true with the step that carries it (later: CloudEvents, webhooks). */
export type OutboxEvent = {
  readonly id: string;
  readonly type: string;
  readonly at: Date;
  readonly body: Json;
};

/** A link of the tenant's evidence chain, written with the step that it tells of. */
export type EvidenceEntry = {
  readonly id: string;
  readonly kind: string;
  readonly at: Date;
  readonly body: Json;
};

/** What commits together with a state change, or not at all. */
export type Step = { readonly events: readonly OutboxEvent[]; readonly evidence: readonly EvidenceEntry[] };

/** One answered call, free of personal data: result numbers, measurements and what they were made with. */
export type TransactionRecord = {
  readonly id: string;
  readonly tenantId: string;
  readonly keyId: string;
  readonly world: Caller["world"];
  readonly endpoint: string;
  readonly at: Date;
  readonly result: Json;
  readonly measurements: Json;
  readonly policyVersion: string;
  /** Model name to SHA-256 of its weights. */
  readonly models: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of every token that the call used, so that detokenize can ask for the very one. */
  readonly tokenHashes: readonly string[];
};

/** A token that may be used once within its tenant until it expires. */
export type TokenUse = { readonly hash: string; readonly expiresAt: Date };

export type ValidationStatus = "PENDING" | "DONE" | "FAILED";

/** What a validation was decided to. `Expired` was never decided, `Abandoned` not sent again. */
export const validationDecisions = [
  "Approved",
  "Declined",
  "Resubmission",
  "Review",
  "Expired",
  "Abandoned",
] as const;

export type ValidationDecision = (typeof validationDecisions)[number];

/** A document validation: the row is also the job. What is called sealed is keyring-sealed JSON. */
export type Validation = {
  readonly id: string;
  readonly tenantId: string;
  readonly world: Caller["world"];
  readonly version: 1 | 2;
  readonly status: ValidationStatus;
  readonly createdAt: Date;
  readonly decidedAt?: Date;
  /** What the job needs: declared country and type, merchant reference, blob ids. */
  readonly sealedInput: Uint8Array;
  /** The verification record, once decided. */
  readonly sealedRecord?: Uint8Array;
  /** How far a provider outside is with the present pictures; absent where none is asked, and once decided. */
  readonly sealedSession?: Uint8Array;
  /** How often a worker has taken the present pictures up. */
  readonly attempts: number;
  /** Which sending of pictures this is, from 1 on; one whose analysis FAILED is not counted. */
  readonly attempt: number;
  /** Counts the changes of state, so that a change is made to what was seen. */
  readonly revision: number;
  /** Absent before, and where nobody can tell: its input could not be opened any more. */
  readonly decision?: ValidationDecision;
  /** Since when it waits for its decision, or for better pictures; absent where it waits for nothing. */
  readonly waitsSince?: Date;
};

/** Keyed hash of the caller's own reference: what is started under it again, while it waits, is its next attempt. */
export type Continuing = { readonly chain: string; readonly waitingSince: Date };

export type NewValidation = Pick<
  Validation,
  "id" | "tenantId" | "world" | "version" | "createdAt" | "sealedInput"
> & {
  readonly blobIds: readonly string[];
  readonly continues?: Continuing;
};

/** Better pictures for a validation that waits for them. */
export type Resubmission = Pick<Validation, "tenantId" | "id" | "version" | "sealedInput" | "revision"> & {
  readonly at: Date;
  readonly blobIds: readonly string[];
};

export type Lease = {
  /** Unique to one run of one worker: a restarted worker takes a new name. */
  readonly worker: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly now: Date;
};

/** What a worker has leased: the validation as it was seen, so that nothing is written to pictures that came after it. */
export type Held = Pick<Validation, "tenantId" | "id" | "revision"> & { readonly worker: string };

export type Finish = Held & {
  readonly status: "DONE" | "FAILED";
  readonly at: Date;
  /** All absent where the row's own input cannot be opened any more: who asked for what is not known. */
  readonly decision?: "Approved" | "Declined" | "Resubmission" | "Review";
  readonly sealedRecord?: Uint8Array;
  readonly transaction?: TransactionRecord;
  readonly claim?: Claim;
  /** Keyed hashes by which it is counted how often a document or a caller's reference comes. */
  readonly sightings?: readonly string[];
};

/** Keyed hashes of a document's number and of the customer whose it is from now on. */
export type Claim = {
  readonly number: string;
  readonly customer: string;
  /** The customers whose it was when this was decided: where others have come since, nothing is written. */
  readonly seen: readonly string[];
};

/**
 * `lost`: it is no longer this worker's lease or this person's hold, or it is decided. `outdated`: the claim's number has
 * become another customer's since it was seen.
 */
export type FinishAnswer = "finished" | "lost" | "outdated";

/** The end of a validation that waited too long. */
export type Ending = Pick<Validation, "tenantId" | "id" | "revision"> & {
  readonly decision: "Expired" | "Abandoned";
  readonly at: Date;
  /** Absent where what was stored cannot be opened any more. */
  readonly sealedRecord?: Uint8Array;
  readonly transaction?: TransactionRecord;
};

/** A wrapped data key. `wrapped` holds the key sealed by the master key `masterId`; destroyed keys keep their row. */
export type KeyRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly purpose: string;
  readonly masterId: string;
  readonly wrapped: Uint8Array | null;
  readonly createdAt: Date;
  readonly destroyedAt?: Date;
};

export type BlobRow = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly bytes: number;
  readonly createdAt: Date;
};

/**
 * The store's commands: coarse, each one transaction, never held open across other work. The same suite
 * (`store-suite.ts`) runs on SQLite and PostgreSQL. A command resolves only after its commit is durable.
 */
export type Store = PeopleCommands &
  FaceListCommands &
  ReviewCommands &
  ListedDocumentCommands & {
    /** Names are unique: answers the tenant that has the name, which is another where that was there before. */
    readonly createTenant: (tenant: Tenant) => Promise<Tenant>;
    readonly listTenants: () => Promise<readonly Tenant[]>;

    readonly createApiKey: (key: ApiKey) => Promise<void>;
    readonly findApiKey: (hash: string) => Promise<ApiKey | undefined>;
    readonly listApiKeys: (tenantId: string) => Promise<readonly ApiKey[]>;
    /** False when the tenant has no such key that is not yet revoked. */
    readonly revokeApiKey: (tenantId: string, keyId: string, at: Date) => Promise<boolean>;
    readonly touchApiKeys: (uses: readonly { readonly keyId: string; readonly at: Date }[]) => Promise<void>;

    /** Fails with `token_replayed`, and writes nothing, when one of `uses` is known in this tenant. */
    readonly recordTransaction: (
      record: TransactionRecord,
      uses: readonly TokenUse[],
      step: Step,
    ) => Promise<void>;
    /** Forgets up to 1000 uses that expired before `before`; says how many, so that the caller can go on. */
    readonly purgeTokenUses: (before: Date) => Promise<number>;
    readonly findTransaction: (tenantId: string, id: string) => Promise<TransactionRecord | undefined>;
    /** Up to 500 answered calls from `since` on, in the order of their ids, after the id of the page before. */
    readonly listTransactions: (
      tenantId: string,
      since: Date,
      after?: string,
    ) => Promise<readonly TransactionRecord[]>;

    /** The validation, its transaction and its blobs' rows, in one commit. */
    readonly createValidation: (
      validation: NewValidation,
      blobs: readonly BlobRow[],
      transaction: TransactionRecord,
      step: Step,
    ) => Promise<void>;
    readonly findValidation: (tenantId: string, id: string) => Promise<Validation | undefined>;
    /** Takes due validations, oldest first, raising `attempts`. An expired lease makes a row due again. */
    readonly leaseValidations: (lease: Lease) => Promise<readonly Validation[]>;
    readonly renewLease: (held: Held, until: Date) => Promise<boolean>;
    /** Keeps how far a provider outside is with a leased validation. False when the lease was lost. */
    readonly keepSession: (held: Held, sealedSession: Uint8Array) => Promise<boolean>;
    /** Gives a leased validation back, due from `until` on, and takes back the attempt. False when the lease was lost. */
    readonly postponeValidation: (held: Held, until: Date) => Promise<boolean>;
    /** Writes nothing unless it answers `finished`. A decision for review opens one. */
    readonly finishValidation: (finish: Finish, step: Step) => Promise<FinishAnswer>;
    /** False, and nothing written, where it does not wait for better pictures, or has changed since it was seen. */
    readonly resubmitValidation: (
      resubmission: Resubmission,
      blobs: readonly BlobRow[],
      transaction: TransactionRecord,
      step: Step,
    ) => Promise<boolean>;
    /**
     * Up to 100 that wait since before `before` and that no worker holds at `now`, the longest first, after the one that ended
     * the page before.
     */
    readonly listWaiting: (before: Date, now: Date, after?: Validation) => Promise<readonly Validation[]>;
    /** False, and nothing written, where it has changed since it was seen, or a worker holds it. */
    readonly endValidation: (ending: Ending, step: Step) => Promise<boolean>;

    /** Hashes of the customers to whom this hash of a number belongs, at most 10. */
    readonly findClaims: (tenantId: string, number: string) => Promise<readonly string[]>;
    /** Forgets up to 1000 claims that were last made before `before`; says how many. */
    readonly purgeClaims: (before: Date) => Promise<number>;

    /** False, and nothing written, when the tenant already has an active key for this purpose. */
    readonly insertKey: (key: KeyRow) => Promise<boolean>;
    /** Every key of the tenant, destroyed ones too, oldest first. */
    readonly findKeys: (tenantId: string) => Promise<readonly KeyRow[]>;
    readonly listKeys: () => Promise<readonly KeyRow[]>;
    /** Leaves destroyed keys alone. */
    readonly rewrapKey: (id: string, masterId: string, wrapped: Uint8Array) => Promise<void>;
    /** Removes the wrapped key for ever. False, and nothing written, when there is no such key or it is destroyed. */
    readonly destroyKey: (id: string, at: Date, step: Step) => Promise<boolean>;

    /** A secret of the deployment, which belongs to no tenant, as its owner sealed it; undefined when there is none. */
    readonly findSecret: (name: string) => Promise<Uint8Array | undefined>;
    /** Writes a secret where it still is what the caller saw (undefined: absent). False, and nothing written, where not. */
    readonly replaceSecret: (
      name: string,
      seen: Uint8Array | undefined,
      sealed: Uint8Array,
    ) => Promise<boolean>;

    /**
     * Forgets up to 1000 blobs made before `before`, oldest first, but none of an undecided validation. Answers how many, so
     * that the caller can go on. What no row names any more the sweeper removes.
     */
    readonly forgetBlobs: (before: Date) => Promise<number>;
    /** Those of `ids` that a row of the tenant names; what is missing here is an orphan. */
    readonly knownBlobIds: (tenantId: string, ids: readonly string[]) => Promise<readonly string[]>;

    /** Resolves when the store answers and a write would be durable; rejects when it has become unhealthy. */
    readonly ping: () => Promise<void>;
    /** Whether only a new start of the process can mend the store: after a commit that failed, or the end of its thread. */
    readonly isBroken: () => boolean;
    readonly close: () => Promise<void>;
  };
