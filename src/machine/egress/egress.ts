/**
 * PEM texts: the certificate of a client with its chain and key, and the authorities that may have issued the
 * server's.
 */
export type ClientTls = {
  readonly certificate: string;
  readonly key: string;
  /** In place of the system's authorities. */
  readonly ca?: string;
};

/** An outgoing call. It always ends: sizes, times and the work of reading it are bounded (budget.ts). */
export type EgressCall = {
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Longest accepted body of the answer. */
  readonly bytesMax: number;
  /** Redirects that a GET or HEAD follows; by default none. Each hop is judged like the first. */
  readonly redirectsMax?: number;
  /** Time until the head of the answer, all redirects included. Default 30 s. */
  readonly headMsMax?: number;
  /** Longest silence within the body. Default 30 s. */
  readonly silenceMsMax?: number;
  /**
   * Time from the call to the end of its body, so that a peer which sends byte after byte ends too. Default:
   * a minute more than `headMsMax`.
   */
  readonly wholeMsMax?: number;
  /**
   * Uses a connection of an earlier call to the same host and port, and keeps it for the next one. A kept
   * connection that the server has closed meanwhile fails before any answer: the call is then sent once more
   * on a new one. So the server can receive such a call twice. Default: each call has its own connection.
   */
  readonly keepsConnection?: boolean;
  /**
   * The caller verifies a signature of the answer, as with OCSP, CRLs, certificates and time-stamps. Such a
   * call may go over plain http: wherever https: may go, unless it carries credentials: most of these servers
   * speak nothing else, and who changes the answer on the way only breaks its signature (RFC 5280, 8; RFC
   * 6960, 5). Default: false.
   */
  readonly verifiesAnswer?: boolean;
  /** Mutual TLS. Such a call goes over https: alone, and its certificate to the first origin alone. */
  readonly tls?: ClientTls;
  readonly signal?: AbortSignal;
};

/**
 * Milliseconds from the start of an exchange to each of its steps, and the address of the connected socket. A
 * step that was not reached is absent, and so are the steps that make a connection where it was kept. Through
 * a proxy only `firstByteMs` is known.
 */
export type Exchange = {
  readonly address?: string;
  readonly dnsMs?: number;
  readonly connectMs?: number;
  readonly tlsMs?: number;
  readonly firstByteMs?: number;
};

export type EgressAnswer = {
  readonly status: number;
  /** Names in lower case; the values of a repeated name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the answer, without the query, which may hold a signature. */
  readonly source: string;
  /** The last exchange, if redirects were followed. */
  readonly exchange: Exchange;
  /**
   * Fails with EgressError where it is longer than `bytesMax`, stalls or breaks off. Read it once, or
   * `discard` it.
   */
  readonly body: AsyncIterable<Uint8Array>;
  readonly discard: () => void;
};

/** Sends one call. Fails with EgressError before sending anything where the rules refuse it. */
export type Egress = (url: string, call: EgressCall) => Promise<EgressAnswer>;

/**
 * The reason in words why a URL may not be stored for later calls; undefined for an acceptable one. Made by
 * `makeJudgeUrl` (make-egress.ts).
 */
export type JudgeUrl = (url: string) => string | undefined;

export type EgressRules = {
  /**
   * Non-public addresses and ranges that may be reached. Plain http goes only to loopback addresses in it.
   */
  readonly allow: readonly string[];
  /**
   * HTTP proxy that opens tunnels (CONNECT). It resolves names itself, so it must block private addresses
   * itself.
   */
  readonly proxy?: URL;
};

/** The reason of a failed call. */
export type EgressReason =
  | "url_refused"
  | "address_refused"
  | "redirect_refused"
  | "unreachable"
  | "timed_out"
  | "too_long"
  | "cut"
  // The thread of outgoing calls ended: the peer is not to blame.
  | "interrupted";

/** A refused call, or a wrong answer of the external server. The message names its host, never a query. */
export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly reason: EgressReason;
  /** How far the failed exchange came; undefined where none began. */
  exchange: Exchange | undefined;

  constructor(reason: EgressReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
