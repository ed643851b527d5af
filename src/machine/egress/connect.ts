import { constants } from "node:crypto";
import type { LookupAddress } from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AddressGuard } from "./address.ts";
import { exchangeBudget } from "./budget.ts";
import { type ClientTls, EgressError } from "./egress.ts";
import type { KeptConnections } from "./kept-connections.ts";
import { requestPlain, requestSecure } from "./node-http.ts";
import { watchReceived } from "./watch-received.ts";

/** The host without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const refuse = (url: URL, address: string): EgressError =>
  new EgressError(
    "address_refused",
    `${hostOf(url)} is at ${address}, where this service may not connect: the address is not public, and IDEM_EGRESS_ALLOW does not name it`,
  );

/** The rules for addresses. `mayBePlain`: plain http: may go wherever https: may. */
export type AddressRules = { readonly guard: AddressGuard; readonly mayBePlain?: boolean };

/** The rule for the addresses behind a URL. */
const judgeOf = (url: URL, { guard, mayBePlain = false }: AddressRules): ((address: string) => boolean) =>
  url.protocol === "http:" && !mayBePlain ? guard.maySpeakPlainly : guard.mayReach;

/** Finds every address of a name, as `lookup` of node:dns does. */
export type FindAddresses = (
  host: string,
  options: { readonly all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Resolves and judges in the connecting step, so that a second answer of the name server cannot differ. One
 * bad address of several refuses them all.
 */
const guardedLookup =
  (url: URL, dialling: Dialling): LookupFunction =>
  (host, options, done) =>
    dialling.findAddresses(host, { ...options, all: true }, (error, addresses) => {
      const bad = addresses?.find(({ address }) => !judgeOf(url, dialling)(address));
      if (error !== null || bad !== undefined) {
        done(error ?? refuse(url, bad!.address), []);
        return;
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });

/**
 * Judges the connected address itself, before the request is sent: `connect` comes before the first byte of
 * the request, and a kept connection is judged when the request gets it. It does not rest on the look-up, so
 * a look-up that does not judge reaches no closed address either.
 */
const refuseConnected = (url: URL, rules: AddressRules, request: ClientRequest, socket: Socket): void => {
  const judge = (): void => {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && judgeOf(url, rules)(remoteAddress)) return;
    request.destroy(refuse(url, remoteAddress ?? "an unknown address"));
  };
  if (socket.connecting) socket.once("connect", judge);
  else judge();
};

/** Node never looks up a literal address, so it is judged here. Throws EgressError. */
export const refuseLiteral = (url: URL, rules: AddressRules): void => {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !judgeOf(url, rules)(host)) throw refuse(url, host);
};

/** Method and headers of a call. */
type Sending = { readonly method: string; readonly headers?: Readonly<Record<string, string>> };

const credentialsOf = ({ username, password }: URL) =>
  username === ""
    ? {}
    : {
        "proxy-authorization": `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`,
      };

/** A call over plain http: goes to the proxy itself, with the whole URL (RFC 9112, 3.2.2). */
const askProxy = (url: URL, proxy: URL, options: Sending, signal: AbortSignal): ClientRequest =>
  bounded(
    url,
    requestPlain({
      ...options,
      host: hostOf(proxy),
      port: proxy.port || 80,
      path: url.href,
      agent: false,
      signal,
      headers: { ...options.headers, host: url.host, ...credentialsOf(proxy) },
    }),
  );

/** A tunnel through the proxy to the URL's host and port. */
const tunnel = (url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${url.hostname}:${url.port || "443"}`;
    const asked = requestPlain({
      host: hostOf(proxy),
      port: proxy.port || 80,
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...credentialsOf(proxy),
      },
    });
    bounded(url, asked);
    asked.on("connect", ({ statusCode }, socket) => {
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(new EgressError("unreachable", `The proxy refused ${target} with status ${statusCode}`));
      }
    });
    asked.on("error", reject);
    asked.end();
  });

/**
 * The options of TLS. A kept connection serves calls with the same certificate alone: node:https compares
 * them. A server may not ask for a new handshake, which costs this side more than the server (RFC 5746, 5;
 * TLS 1.3 has none).
 */
const secureOptions = (tls: ClientTls | undefined) => ({
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
  ...(tls !== undefined && {
    cert: tls.certificate,
    key: tls.key,
    ...(tls.ca !== undefined && { ca: tls.ca }),
  }),
});

/** Ends an exchange beyond its budget, before its answer or within it. */
const bounded = (url: URL, request: ClientRequest): ClientRequest => {
  let answer: IncomingMessage | undefined;
  request.once("response", (one) => {
    answer = one;
  });
  watchReceived(request, (reason) =>
    (answer ?? request).destroy(new EgressError("too_long", `${url.host} ${reason}`)),
  );
  return request;
};

const throughProxy = async (url: URL, proxy: URL, options: Sending, { signal, tls }: Dialling) => {
  const socket = await tunnel(url, proxy, signal);
  const host = hostOf(url);
  // The certificate is checked against `host`: SNI cannot hold an address.
  const name = isIP(host) === 0 && { servername: host };
  const secured = connectTls({ socket, host, ...name, ...secureOptions(tls) });
  // Uses no agent, because an agent would open its own connection. Without an agent, the default port of the
  // Host header would be 80.
  const request = requestSecure(url, {
    ...options,
    signal,
    defaultPort: 443,
    createConnection: () => secured,
  });
  return bounded(url, request);
};

export type Dialling = AddressRules & {
  readonly findAddresses: FindAddresses;
  readonly proxy?: URL | undefined;
  readonly signal: AbortSignal;
  readonly tls?: ClientTls | undefined;
  /** Gives and takes connections; absent: the exchange has its own. */
  readonly kept?: KeptConnections | undefined;
  /** Called with the socket of a direct connection. */
  readonly watch?: (socket: Socket) => void;
};

/** Opens one exchange, with its own connection unless `kept` is given. A tunnel of a proxy is never kept. */
export const dial = async (url: URL, sending: Sending, dialling: Dialling): Promise<ClientRequest> => {
  const { proxy, signal, kept, watch } = dialling;
  refuseLiteral(url, dialling);
  const options = { ...sending, maxHeaderSize: exchangeBudget.headBytesMax };
  const isPlain = url.protocol === "http:";
  if (proxy !== undefined && !isPlain) return throughProxy(url, proxy, options, dialling);
  if (proxy !== undefined && dialling.mayBePlain === true) return askProxy(url, proxy, options, signal);
  const agent = kept === undefined ? false : isPlain ? kept.plain : kept.secure;
  const lookup = guardedLookup(url, dialling);
  const request = isPlain
    ? requestPlain(url, { ...options, signal, agent, lookup })
    : requestSecure(url, { ...options, signal, agent, lookup, ...secureOptions(dialling.tls) });
  request.once("socket", (socket) => {
    refuseConnected(url, dialling, request, socket);
    watch?.(socket);
  });
  return bounded(url, request);
};
