import type { Call, Caller, CallSession, Endpoint } from "#contract/endpoint";
import type { Failure } from "#contract/failure";
import type { Scope } from "#contract/scope";
import type { Traces } from "./call-span.ts";
import type { CallLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { BodyParts } from "./read-json.ts";

/** The server's view of a key; the store's row has at least these fields. */
export type KeyRecord = {
  readonly id: string;
  readonly tenantId: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly environment: Caller["environment"];
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
  /** Id of the first key of its renewals. Absent: the key renews none. */
  readonly lineage?: string;
};

/** The capture session of a token, as the server needs it. */
export type PageRecord = Caller & {
  readonly id: string;
  readonly holder: CallSession["holder"];
  /** Pages of these origins may use the token. */
  readonly origins: readonly string[];
};

/**
 * Finds the session of a token by its SHA-256 (hex); undefined for a token that opens nothing. Made by
 * makeFindPage (src/features/capture/find-page.ts).
 */
export type FindPage = (hash: string) => Promise<PageRecord | undefined>;

export type KeyUse = { readonly keyId: string; readonly at: Date };

/** The source of keys. `touch` receives at most one use per key and flush. */
export type KeySource = {
  readonly find: (hash: string) => Promise<KeyRecord | undefined>;
  readonly touch: (uses: readonly KeyUse[]) => Promise<void>;
};

export type RateLimit = {
  /** Cost units that return each second; one call takes the route's `cost`. */
  readonly perSecond: number;
  /** Most cost units that may be taken at once. */
  readonly burst: number;
};

/** Bytes of the bodies in flight, from their arrival until the answer. */
export type BodyBudgetLimits = {
  readonly bytesMax: number;
  readonly bytesPerKeyMax: number;
};

export type ReceiveLimits = {
  /** Longest time for the arrival of a body. */
  readonly msMax: number;
  /** Time after which a body must keep the pace at which it arrives within `msMax`. */
  readonly graceMs: number;
};

/**
 * Reads a body in a thread that takes over its memory: readBody of read-json.ts. Fails as that, or with
 * overloaded | timed_out | shutting_down. When the caller has left, a waiting body is dropped and the reason
 * thrown. Implemented by openBodyThreads, app/body-threads.ts.
 */
export type ReadLargeBody = (
  blocks: readonly Uint8Array<ArrayBuffer>[],
  isHashed: boolean,
  left: AbortSignal,
) => Promise<BodyParts>;

/** The bucket of an API key. */
export type RateKey = Pick<Caller, "tenantId" | "keyId">;

/**
 * Takes the cost of waiting calls from a bucket that all processes share, and a spare part for the next calls
 * if all of them fit. Costs are times in which the key regains them, in microseconds; `fullUs` fills an empty
 * bucket, and the answer's `missingUs` fills it again. Implemented by `makeRateCommands` of tenants.
 */
export type AskRate = (
  key: RateKey,
  ask: { readonly spansUs: readonly number[]; readonly spareUs: number; readonly fullUs: number },
) => Promise<{
  readonly granted: readonly boolean[];
  readonly spareUs: number;
  readonly missingUs: number;
}>;

export type ServerLimits = {
  /** Largest body of any route. A route's own limit follows from its fields (contract/body-limit.ts). */
  readonly bodyBytesMax: number;
  /** Largest image or token, before Base64. */
  readonly fieldBytesMax: number;
  /**
   * Largest file, such as a PDF, before Base64. The body of a route with a file may be larger than
   * `bodyBytesMax`.
   */
  readonly fileBytesMax: number;
  readonly bodiesInFlight: BodyBudgetLimits;
  readonly receive: ReceiveLimits;
  /** Bodies of more bytes are read in a thread. */
  readonly threadBodyBytes: number;
  /**
   * Time limit of a handler, from the parsed body on. The server's own limit covers the reception of the
   * body.
   */
  readonly requestTimeoutMs: number;
  /** Longest wait of a drain for running calls. */
  readonly drainMs: number;
  /**
   * Time before it in which readiness is refused and calls still run, so that balancers send the next ones
   * elsewhere.
   */
  readonly noticeMs: number;
  /** How long a revoked key may still work on this node. */
  readonly keyCacheMs: number;
  readonly keyFlushMs: number;
  /** The rate limit of each key, over all processes if `askRate` is given. If absent, there is no limit. */
  readonly rate?: RateLimit;
  /** Wrong keys per remote address, and uses of a key that ended, counted by each process alone. */
  readonly wrongKeys: RateLimit;
  /** Wrong tokens of pages per remote address, counted by each process alone. */
  readonly wrongTokens: RateLimit;
  /** Calls of a page, per capture session, counted by each process alone. */
  readonly pages: RateLimit;
  /** Links to images that do not work, per remote address, counted by each process alone. */
  readonly wrongLinks: RateLimit;
  /** Loads of the page of the mailbox and its script, per remote address, counted by each process alone. */
  readonly mailboxLoads: RateLimit;
  /** Loads of the page of the demo and its style, per remote address, counted by each process alone. */
  readonly demoLoads: RateLimit;
};

export const standardLimits: ServerLimits = {
  bodyBytesMax: 24 * 1024 * 1024,
  fieldBytesMax: 8 * 1024 * 1024,
  fileBytesMax: 20_000_000,
  bodiesInFlight: { bytesMax: 512 * 1024 * 1024, bytesPerKeyMax: 256 * 1024 * 1024 },
  receive: { msMax: 60_000, graceMs: 10_000 },
  threadBodyBytes: 256 * 1024,
  requestTimeoutMs: 30_000,
  drainMs: 20_000,
  noticeMs: 0,
  keyCacheMs: 3_000,
  keyFlushMs: 10_000,
  wrongKeys: { perSecond: 1, burst: 100 },
  // Our choice: an address of a telephone network has hundreds of persons, whose tokens end while their pages
  // are open. A token has 256 random bits, so that no tighter limit is needed; a right one takes nothing of
  // it.
  wrongTokens: { perSecond: 20, burst: 600 },
  // Our choice: an image of 8 MiB in 32 pieces at once, and some calls each second.
  pages: { perSecond: 10, burst: 100 },
  // The same as for wrong keys, so that a receiver that comes late with the images of one day still gets its
  // answers.
  wrongLinks: { perSecond: 1, burst: 100 },
  // Our choice: a person loads two files at a time, and some persons share an address.
  mailboxLoads: { perSecond: 2, burst: 60 },
  // As the mailbox.
  demoLoads: { perSecond: 2, burst: 60 },
};

/** The vendor part of the type of events where the operator sets none, as in api/asyncapi.yaml. */
export const standardVendor = "idem";

/** A large body, made while it is written: no more than some chunks of it are in memory beside its parts. */
export type StreamedBody = { readonly bytes: number; readonly chunks: () => Iterable<Uint8Array> };

/** An answer in the bytes of the wire. */
export type WrittenAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | StreamedBody;
  /** Headers beside those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Code of the failure that it reports, for log and metrics. */
  readonly failure?: string;
};

/**
 * What joins the attempts of one call: the header Idempotency-Key, the caller's own reference, or a token
 * that one call may use. A token is part of the request, so its value is empty.
 */
export type RetryKey = { readonly kind: "key" | "reference" | "token"; readonly value: string };

/** One attempt of a call under a retry key. */
export type KeyedCall = {
  readonly key: RetryKey;
  readonly caller: Caller;
  /**
   * Owner of the call: the calling key, or the first key of the renewals that made it. Only its attempts get
   * the answer.
   */
  readonly lineage: string;
  readonly route: string;
  /** Equal for requests that are equal in their path parameters and in the hash of their body. */
  readonly request: string;
  readonly transactionId: string;
  /** The bytes that this attempt would answer for the failure. */
  readonly refuse: (failure: Failure) => WrittenAnswer;
  /**
   * Judges the caller's rights beyond the scope, as the handler does, before a stored answer leaves. Fails as
   * the handler.
   */
  readonly judgeRight: () => Promise<void>;
  /** Gets the transaction of the earlier attempt whose answer this attempt gets. */
  readonly onReplay: (transactionId: string) => void;
};

/**
 * Runs a call at most once for all attempts with its key, and answers later attempts of the same owner with
 * the stored answer. `isFinal` is false for an answer that a retry may improve: it is not stored. `kept` is
 * what retries get in place of an answer that holds a secret. Fails as `run`, and with
 * idempotency_key_reused, idempotency_key_taken, idempotency_call_running, idempotency_answer_lost or
 * store_unavailable. Made by makeAnswerOnce (src/record/idempotency/answer-once.ts).
 */
export type AnswerOnce = (
  call: KeyedCall,
  run: (
    deferCommit?: Call<unknown>["deferCommit"],
  ) => Promise<{ readonly answer: WrittenAnswer; readonly isFinal: boolean; readonly kept?: Failure }>,
) => Promise<WrittenAnswer & { readonly isReplayed: boolean }>;

/**
 * The image behind a pre-signed link. Fails with not_found for every link that does not work. Made by
 * makeReadAsset (src/record/operations/assets/read-asset.ts).
 */
export type ReadAsset = (link: {
  readonly id: string;
  readonly expires: string;
  readonly signature: string;
}) => Promise<{ readonly contentType: string; readonly bytes: Uint8Array }>;

/** The mailbox of test environments, for its page. Made by openMailbox (src/app/mailbox.ts). */
export type OpenMailbox = {
  /** Fails with mailbox_live_key for a caller that has no mailbox. */
  readonly admit: (caller: Caller) => void;
  /** The messages after this number, in batches as they arrive, until `signal` aborts. */
  readonly follow: (
    caller: Caller,
    after: number,
    signal: AbortSignal,
  ) => AsyncIterable<readonly { readonly number: number }[]>;
};

export type ServerOptions = {
  /** The face detector of the capture page. If absent, the files of the capture page are not served. */
  readonly pageDetector?: Uint8Array;
  /** Whether the page of the demo is served, with the files of the capture page. */
  readonly hasDemo?: boolean;
  /** If absent, no page of a mailbox is served. */
  readonly mailbox?: OpenMailbox;
  readonly endpoints: readonly Endpoint[];
  /** Finds capture sessions. If absent, no token of a page opens anything. */
  readonly findPage?: FindPage;
  /** If absent, no image is served. */
  readonly readAsset?: ReadAsset;
  /** If absent, a call runs every time, with or without a key. */
  readonly answerOnce?: AnswerOnce;
  readonly keys: KeySource;
  /** The buckets of several processes. If absent, this process is alone and counts in memory. */
  readonly askRate?: AskRate;
  /** If absent, no call is recorded. */
  readonly traces?: Traces;
  readonly metrics: Metrics;
  /** If absent, the main thread reads every body. */
  readonly readLargeBody?: ReadLargeBody;
  /** Shared with the background parts, so that one outage is logged once. Probes are logged at `debug`. */
  readonly log: CallLog;
  /** The unmet preconditions of serving, in words for the operator; empty when ready. */
  readonly findUnmet: () => Promise<readonly string[]>;
  /**
   * Whether only a restart of the process helps: then /healthz answers 503, so that the platform restarts it.
   */
  readonly isBroken?: () => boolean;
  /** The document at /.well-known/idem-keys.json. */
  readonly readPublicKeys: () => Promise<unknown>;
  readonly version: string;
  /** Vendor part of the type of events; by default `standardVendor`. */
  readonly vendor?: string;
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: () => Date;
  readonly makeId?: () => string;
  /**
   * Base of problem types and of the specification's server, without a slash at the end. Default: problem
   * types have the address that the server listens on (base-url.ts), and the specification a relative one.
   */
  readonly publicUrl?: string;
  /** Adds Strict-Transport-Security. */
  readonly isBehindTls?: boolean;
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** `closed`: /metrics is not served here; a bearer token guards it. Default `open`. */
  readonly metricsAccess?: "open" | "closed" | { readonly bearer: string };
};
