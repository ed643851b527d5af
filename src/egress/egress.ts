/** A call to a server outside. Whatever it does, it ends: sizes and times are bounded. */
export type EgressCall = {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Longest body of the answer that is read. */
  readonly bytesMax: number;
  /** Redirects that a GET or HEAD follows; by default none. Each hop is judged as the first. */
  readonly redirectsMax?: number;
  /** Time until the answer's head is there. Default 30 s. */
  readonly headMsMax?: number;
  /** Longest silence while the body comes. Default 30 s. */
  readonly silenceMsMax?: number;
  readonly signal?: AbortSignal;
};

export type EgressAnswer = {
  readonly status: number;
  /** Names in lower case; of a repeated one the values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the answer came from, without the query, which may hold a signature. */
  readonly source: string;
  /** Fails with EgressError where it is longer than `bytesMax`, falls silent or is cut. Read it once, or `discard` it. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
};

/** Sends one call. Fails with EgressError before anything was sent where the rules refuse it. */
export type Egress = (url: string, call: EgressCall) => Promise<EgressAnswer>;

export type EgressRules = {
  /** Addresses and ranges that may be reached though they are not public. Plain http goes to loopback ones among them only. */
  readonly allow: readonly string[];
  /** HTTP proxy that opens tunnels (CONNECT). It resolves names itself, and so must guard private addresses itself. */
  readonly proxy?: URL;
};

/** What kept a call from its answer. */
export type EgressReason =
  | "url_refused"
  | "address_refused"
  | "redirect_refused"
  | "unreachable"
  | "timed_out"
  | "too_long"
  | "cut";

/** An outside server was not asked, or did not answer as it should. The message names its host, never a query. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly reason: EgressReason;

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
