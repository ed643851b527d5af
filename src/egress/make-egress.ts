import { lookup } from "node:dns";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { makeAddressGuard } from "./address.ts";
import { type Dialling, dial, type FindAddresses } from "./connect.ts";
import { type Egress, type EgressAnswer, type EgressCall, EgressError, type EgressRules } from "./egress.ts";
import { closedPorts } from "./ports.ts";

const headMsDefault = 30_000;
const silenceMsDefault = 30_000;
const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** Headers that must not go to another origin (RFC 9110, 15.4). */
const personalHeaders: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);

/** The only way out of the process over HTTP. `findAddresses` is the system's own look-up, but for tests. */
export const makeEgress = ({ allow, proxy }: EgressRules, findAddresses: FindAddresses = lookup): Egress => {
  const guard = makeAddressGuard(allow);
  return async (url, call) => {
    let at = readUrl(url);
    let headers = call.headers ?? {};
    for (let followed = 0; ; followed++) {
      const answer = await exchange(at, { ...call, headers }, { guard, findAddresses, proxy });
      const next = redirectOf(at, answer, call);
      if (next === undefined) return answerOf(at, answer, call);
      answer.destroy();
      if (followed >= (call.redirectsMax ?? 0)) {
        throw new EgressError("redirect_refused", `${at.host} redirects further than is followed`);
      }
      if (next.origin !== at.origin) headers = withoutPersonal(headers);
      at = next;
    }
  };
};

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

const exchange = async (
  url: URL,
  call: EgressCall,
  ways: Omit<Dialling, "signal">,
): Promise<IncomingMessage> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), call.headMsMax ?? headMsDefault);
  const signal = call.signal === undefined ? late.signal : AbortSignal.any([late.signal, call.signal]);
  try {
    const options = { method: call.method ?? "GET", headers: headersOf(call) };
    const request = await dial(url, options, { ...ways, signal });
    request.end(call.body);
    const [answer]: readonly IncomingMessage[] = await once(request, "response", { signal });
    return answer!;
  } catch (error) {
    throw asEgressError(error, url, late.signal, call.signal);
  } finally {
    clearTimeout(timer);
  }
};

const headersOf = ({ headers = {}, body }: EgressCall) => ({
  "user-agent": "idem",
  "accept-encoding": "identity",
  ...headers,
  ...(body === undefined ? {} : { "content-length": String(body.length) }),
});

const asEgressError = (error: unknown, url: URL, late: AbortSignal, signal?: AbortSignal): unknown => {
  if (signal?.aborted === true) return signal.reason;
  if (late.aborted) return new EgressError("timed_out", `${url.host} did not answer in time`);
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
  return new EgressError("unreachable", `${url.host} cannot be reached${code}`, { cause: error });
};

const answerOf = (url: URL, answer: IncomingMessage, call: EgressCall): EgressAnswer => {
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
    body: readBody(url, answer, call),
    discard: () => void answer.destroy(),
  };
};

const tooLong = (url: URL, bytesMax: number): EgressError =>
  new EgressError("too_long", `${url.host} sends more than the ${bytesMax} bytes that are taken`);

async function* readBody(url: URL, answer: IncomingMessage, call: EgressCall): AsyncIterable<Uint8Array> {
  const { bytesMax, silenceMsMax = silenceMsDefault, signal } = call;
  const leave = (): void => void answer.destroy();
  signal?.addEventListener("abort", leave);
  answer.setTimeout(silenceMsMax, () =>
    answer.destroy(new EgressError("timed_out", `${url.host} fell silent`)),
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
    answer.destroy();
  }
}
