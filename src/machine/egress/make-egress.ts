import { lookup } from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { makeAddressGuard } from "./address.ts";
import { type Dialling, dial, type FindAddresses, hostOf, refuseLiteral } from "./connect.ts";
import {
  type Egress,
  type EgressAnswer,
  type EgressCall,
  EgressError,
  type EgressRules,
  type Exchange,
  type JudgeUrl,
} from "./egress.ts";
import { type KeptConnections, makeKeptConnections } from "./kept-connections.ts";
import { startMeasuring } from "./measure.ts";
import { closedPorts } from "./ports.ts";

const headMsDefault = 30_000;
const silenceMsDefault = 30_000;
const bodyMsDefault = 60_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that must not go to another origin (RFC 9110, 15.4). */
const personalHeaders: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/**
 * The only way out of the process over HTTP. `findAddresses` is the system's own look-up, but for tests.
 *
 * @example
 * ```ts
 * import { makeEgress } from "#machine/egress/make-egress";
 *
 * const egress = makeEgress({ allow: ["127.0.0.1"] });
 * const answer = await egress("http://127.0.0.1:8080/healthz", { bytesMax: 1_000 });
 * for await (const bytes of answer.body) process.stdout.write(bytes);
 * ```
 */
export const makeEgress = ({ allow, proxy }: EgressRules, findAddresses: FindAddresses = lookup): Egress => {
  const guard = makeAddressGuard(allow);
  const connections = makeKeptConnections();
  return async (url, call) => {
    const kept = call.keepsConnection === true ? connections : undefined;
    let at = readUrl(url);
    let headers = call.headers ?? {};
    let { tls } = call;
    const clock = startClock(call);
    for (let followed = 0; ; followed++) {
      const mayBePlain = call.verifiesAnswer === true && !hasPersonal(headers);
      if (tls !== undefined && at.protocol !== "https:") {
        throw new EgressError("url_refused", `A client certificate is shown to ${at.host} over https: alone`);
      }
      const ways = { guard, mayBePlain, findAddresses, proxy, kept, tls };
      const answered = await exchangeOnce(at, { ...call, headers, headMsMax: clock.headMsLeft() }, ways);
      const { answer } = answered;
      const next = redirectOf(at, answer, call);
      if (next === undefined) return answerOf(at, answered, { ...call, wholeMsMax: clock.wholeMsLeft() });
      answer.destroy();
      if (followed >= (call.redirectsMax ?? 0)) {
        throw new EgressError("redirect_refused", `${at.host} redirects further than is followed`);
      }
      if (next.origin !== at.origin) [headers, tls] = [withoutPersonal(headers), undefined];
      at = next;
    }
  };
};

/**
 * The times that a call has left. A call needs some time even when none is left, so that its error is that of
 * an ended time.
 */
const startClock = ({ headMsMax = headMsDefault, wholeMsMax = headMsMax + bodyMsDefault }: EgressCall) => {
  const startedMs = performance.now();
  const left = (msMax: number) => (): number => Math.max(1, msMax - (performance.now() - startedMs));
  return { headMsLeft: left(Math.min(headMsMax, wholeMsMax)), wholeMsLeft: left(wholeMsMax) };
};

/**
 * Judges a URL before it is stored, without a look-up: its form, and the address where it holds one. A name
 * is judged by its addresses in every call.
 */
export const makeJudgeUrl = ({ allow }: Pick<EgressRules, "allow">): JudgeUrl => {
  const guard = makeAddressGuard(allow);
  const speaksPlainly = ["127.0.0.1", "::1"].some(guard.maySpeakPlainly);
  return (text) => {
    const dropped = droppedPart(text);
    if (dropped !== undefined) return `The URL holds ${dropped}, which a call leaves out`;
    try {
      const url = readUrl(text);
      refuseLiteral(url, { guard });
      if (url.protocol === "http:" && !(speaksPlainly && isThisHost(url))) {
        throw new EgressError("url_refused", `${url.host} is not this host, so only https: is allowed`);
      }
      return undefined;
    } catch (error) {
      if (error instanceof EgressError) return error.message;
      throw error;
    }
  };
};

/** What `new URL` or HTTP drops. A stored URL is called as it is shown. */
const droppedPart = (text: string): string | undefined => {
  if (text.includes("#")) return "a fragment (#)";
  return /[\s\p{C}]/u.test(text) ? "a space or a control character" : undefined;
};

/** A literal address was judged before. */
const isThisHost = (url: URL): boolean => url.hostname === "localhost" || isIP(hostOf(url)) !== 0;

/** Throws EgressError for a URL that this client does not support. */
const readUrl = (text: string, base?: URL): URL => {
  const url = URL.parse(text, base?.href);
  if (url === null) throw new EgressError("url_refused", "The address is no URL");
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new EgressError("url_refused", `${url.protocol} is not spoken, only https:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new EgressError("url_refused", `The URL of ${url.host} holds a user name or a password`);
  }
  if (closedPorts.has(Number(url.port || "443"))) {
    throw new EgressError("url_refused", `Port ${url.port} of ${url.host} belongs to another protocol`);
  }
  return url;
};

const hasPersonal = (headers: Readonly<Record<string, string>>): boolean =>
  Object.keys(headers).some((name) => personalHeaders.has(name.toLowerCase()));

const withoutPersonal = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !personalHeaders.has(name.toLowerCase())));

/**
 * The target of a redirect of a reading call; undefined for the final answer. Throws EgressError for a
 * redirect to http:.
 */
const redirectOf = (
  at: URL,
  answer: IncomingMessage,
  { method = "GET", redirectsMax = 0 }: EgressCall,
): URL | undefined => {
  const { location } = answer.headers;
  const mayFollow = redirectsMax > 0 && (method === "GET" || method === "HEAD");
  if (!mayFollow || location === undefined || !redirectStatuses.has(answer.statusCode ?? 0)) return undefined;
  const next = readUrl(location, at);
  if (at.protocol === "https:" && next.protocol === "http:") {
    answer.destroy();
    throw new EgressError("redirect_refused", `${at.host} redirects to http:, which is not followed`);
  }
  return next;
};

type Answered = { readonly answer: IncomingMessage; readonly exchange: Exchange };

type Ways = Pick<Dialling, "guard" | "mayBePlain" | "findAddresses" | "proxy" | "tls"> & {
  readonly kept?: KeptConnections | undefined;
};

const exchangeOnce = async (url: URL, call: EgressCall, ways: Ways): Promise<Answered> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), call.headMsMax ?? headMsDefault);
  const signal = call.signal === undefined ? late.signal : AbortSignal.any([late.signal, call.signal]);
  const measuring = startMeasuring();
  const dialling = { ...ways, signal, watch: measuring.watch };
  try {
    const answer =
      (await ask(url, call, dialling)) ?? (await ask(url, call, { ...dialling, kept: undefined }));
    if (answer === undefined) throw new Error("A new connection counts as a kept one");
    measuring.answered();
    return { answer, exchange: measuring.steps() };
  } catch (error) {
    throw asEgressError(error, url, { late: late.signal, signal: call.signal, exchange: measuring.steps() });
  } finally {
    clearTimeout(timer);
  }
};

/** The answer; undefined where the server had closed the kept connection. */
const ask = async (url: URL, call: EgressCall, dialling: Dialling): Promise<IncomingMessage | undefined> => {
  const { signal } = dialling;
  // A request with an aborted signal fails before anything can listen, which would end the process.
  signal.throwIfAborted();
  const options = { method: call.method ?? "GET", headers: headersOf(call) };
  const request = await dial(url, options, dialling);
  request.end(call.body);
  try {
    return await answerTo(request, url);
  } catch (error) {
    if (request.reusedSocket && !signal.aborted && isClosed(error)) return undefined;
    throw error;
  }
};

/**
 * The answer of a request. When the budget has ended the request, the parser still goes on to the end of its
 * bytes; an answer in them does not count. An upgrade (101) closes the request without an answer and without
 * an error.
 */
const answerTo = (request: ClientRequest, url: URL): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once("response", (answer) => {
      if (!request.destroyed) resolve(answer);
    });
    request.once("error", reject);
    request.once("close", () =>
      reject(new EgressError("unreachable", `${url.host} closed the connection without an answer`)),
    );
  });

const isClosed = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");

const headersOf = ({ headers = {}, body }: EgressCall) => ({
  "user-agent": "idem",
  "accept-encoding": "identity",
  ...headers,
  ...(body === undefined ? {} : { "content-length": String(body.length) }),
});

type Ended = {
  readonly late: AbortSignal;
  readonly signal: AbortSignal | undefined;
  readonly exchange: Exchange;
};

const asEgressError = (error: unknown, url: URL, { late, signal, exchange }: Ended): unknown => {
  if (signal?.aborted === true) return signal.reason;
  const named = namedError(error, url, late);
  named.exchange = exchange;
  return named;
};

const namedError = (error: unknown, url: URL, late: AbortSignal): EgressError => {
  if (late.aborted) return new EgressError("timed_out", `${url.host} did not answer in time`);
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new EgressError("unreachable", `${url.host} cannot be reached${code}`, { cause: error });
};

const answerOf = (url: URL, { answer, exchange }: Answered, call: EgressCall): EgressAnswer => {
  const announced = Number(answer.headers["content-length"] ?? 0);
  if (call.method !== "HEAD" && announced > call.bytesMax) {
    answer.destroy();
    throw tooLong(url, call.bytesMax);
  }
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(", ")]),
    ),
    source: `${url.origin}${url.pathname}`,
    exchange,
    body: readBody(url, answer, call),
    discard: () => void answer.destroy(),
  };
};

const tooLong = (url: URL, bytesMax: number): EgressError =>
  new EgressError("too_long", `${url.host} sends more than the ${bytesMax} bytes that are taken`);

async function* readBody(url: URL, answer: IncomingMessage, call: EgressCall): AsyncIterable<Uint8Array> {
  const { bytesMax, silenceMsMax = silenceMsDefault, wholeMsMax, signal } = call;
  const leave = (): void => void answer.destroy();
  signal?.addEventListener("abort", leave);
  answer.setTimeout(silenceMsMax, () =>
    answer.destroy(new EgressError("timed_out", `${url.host} fell silent`)),
  );
  const late = setTimeout(
    () => answer.destroy(new EgressError("timed_out", `${url.host} sends its answer too slowly`)),
    wholeMsMax,
  );
  let length = 0;
  try {
    for await (const chunk of answer) {
      if (!(chunk instanceof Uint8Array)) throw new Error("The answer is not of bytes");
      length += chunk.length;
      if (length > bytesMax) throw tooLong(url, bytesMax);
      yield chunk;
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof EgressError) throw error;
    throw new EgressError("cut", `${url.host} broke off after ${length} bytes`, { cause: error });
  } finally {
    signal?.removeEventListener("abort", leave);
    clearTimeout(late);
    answer.destroy();
  }
}
