import type { Caller, Endpoint, Scope } from "#contract/endpoint";
import type { CallLog } from "./log.ts";
import type { Metrics } from "./metrics.ts";

/** What the server knows of a key; the store's row has at least these. */
export type KeyRecord = {
  readonly id: string;
  readonly tenantId: string;
  /** SHA-256 of the key, hex. */
  readonly hash: string;
  readonly world: Caller["world"];
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
};

export type KeyUse = { readonly keyId: string; readonly at: Date };

/** Where keys are found. `touch` receives at most one use per key and flush. */
export type KeySource = {
  readonly find: (hash: string) => Promise<KeyRecord | undefined>;
  readonly touch: (uses: readonly KeyUse[]) => Promise<void>;
};

export type RateLimit = {
  /** Cost units that flow back each second; a route's `cost` is what one call takes. */
  readonly perSecond: number;
  /** Cost units that may be taken at once. */
  readonly burst: number;
};

export type ServerLimits = {
  readonly bodyBytesMax: number;
  /** Time of a handler, from the moment the body is read and parsed. How long a body may take is the server's own limit. */
  readonly requestTimeoutMs: number;
  /** How long a drain waits for calls in flight. */
  readonly drainMs: number;
  /** How long a revoked key may still work on this node. */
  readonly keyCacheMs: number;
  readonly keyFlushMs: number;
  /** Per key. Absent: no limit. */
  readonly rate?: RateLimit;
  /** Wrong keys per remote address. */
  readonly wrongKeys: RateLimit;
};

export const standardLimits: ServerLimits = {
  bodyBytesMax: 24 * 1024 * 1024,
  requestTimeoutMs: 30_000,
  drainMs: 20_000,
  keyCacheMs: 3_000,
  keyFlushMs: 10_000,
  wrongKeys: { perSecond: 1, burst: 100 },
};

export type ServerOptions = {
  readonly endpoints: readonly Endpoint[];
  readonly keys: KeySource;
  readonly metrics: Metrics;
  /** Shared with the parts beside the calls, so that one outage is told once. Probes are logged at `debug`. */
  readonly log: CallLog;
  /** What hinders serving, in words for the operator; empty when ready. */
  readonly findHindrances: () => Promise<readonly string[]>;
  /** Whether only a new start of the process helps: then /healthz answers 503, so that the platform restarts it. */
  readonly isBroken?: () => boolean;
  /** The document at /.well-known/idem-keys.json. */
  readonly readPublicKeys: () => Promise<unknown>;
  readonly version: string;
  readonly limits?: Partial<ServerLimits>;
  readonly clock?: () => Date;
  readonly makeId?: () => string;
  /** Base of problem types and of the spec's server, without a slash at the end. Default: relative. */
  readonly publicUrl?: string;
  /** Adds Strict-Transport-Security. */
  readonly isBehindTls?: boolean;
  /** Addresses or ranges of proxies whose X-Forwarded-For is believed. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** `closed`: /metrics is not served here; a bearer token guards it. Default `open`. */
  readonly metricsAccess?: "open" | "closed" | { readonly bearer: string };
};
