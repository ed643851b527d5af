import { type LookupAddress, lookup } from "node:dns";
import { type ClientRequest, type IncomingMessage, request as requestPlain } from "node:http";
import { type RequestOptions, request as requestSecure } from "node:https";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { AddressGuard } from "./address.ts";
import { EgressError } from "./egress.ts";

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const refuse = (url: URL, address: string): EgressError =>
  new EgressError(
    "address_refused",
    `${hostOf(url)} is at ${address}, where this service may not connect: the address is not public, and IDEM_EGRESS_ALLOW does not name it`,
  );

/** The judge of the addresses behind a URL. */
const judgeOf = (url: URL, guard: AddressGuard): ((address: string) => boolean) =>
  url.protocol === "http:" ? guard.maySpeakPlainly : guard.mayReach;

/**
 * Resolves and judges in the step that connects, so that a second answer of the name server cannot differ. One bad
 * address of several refuses them all.
 */
const guardedLookup =
  (url: URL, guard: AddressGuard): LookupFunction =>
  (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      const bad = addresses?.find(({ address }) => !judgeOf(url, guard)(address));
      if (error !== null || bad !== undefined) {
        done(error ?? refuse(url, bad!.address), []);
        return;
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) done(null, addresses);
      else done(null, first.address, first.family);
    });

/** Node never looks up an address that is written as one, so that it is judged here. Throws EgressError. */
export const refuseLiteral = (url: URL, guard: AddressGuard): void => {
  const host = hostOf(url);
  if (isIP(host) !== 0 && !judgeOf(url, guard)(host)) throw refuse(url, host);
};

/** A tunnel through the proxy to the URL's host and port. */
const tunnel = (url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const target = `${url.hostname}:${url.port || "443"}`;
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const asked = requestPlain({
      host: hostOf(proxy),
      port: proxy.port || 80,
      method: "CONNECT",
      path: target,
      agent: false,
      signal,
      headers: {
        host: target,
        ...(proxy.username === "" ? {} : { "proxy-authorization": `Basic ${btoa(credentials)}` }),
      },
    });
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

const throughProxy = async (url: URL, proxy: URL, options: RequestOptions, signal: AbortSignal) => {
  const socket = await tunnel(url, proxy, signal);
  const host = hostOf(url);
  // The certificate is checked against `host`, which a name for the server (SNI) cannot stand in for where it is an address.
  const secured = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  // No agent: any would open a connection of its own. Without one the port that needs no saying (Host header) is 80.
  return requestSecure(url, { ...options, signal, defaultPort: 443, createConnection: () => secured });
};

export type Dialling = {
  readonly guard: AddressGuard;
  readonly proxy?: URL | undefined;
  readonly signal: AbortSignal;
};

/** Opens one exchange. The connection is its own: no pool outlives a call. */
export const dial = async (
  url: URL,
  options: RequestOptions,
  { guard, proxy, signal }: Dialling,
): Promise<ClientRequest> => {
  refuseLiteral(url, guard);
  if (proxy !== undefined && url.protocol === "https:") return throughProxy(url, proxy, options, signal);
  const request = url.protocol === "http:" ? requestPlain : requestSecure;
  return request(url, { ...options, signal, agent: false, lookup: guardedLookup(url, guard) });
};

/** The address that the answer came from, judged once more: what was dialled is what counts. Throws EgressError. */
export const refuseSource = (url: URL, answer: IncomingMessage, { guard, proxy }: Dialling): void => {
  const { remoteAddress } = answer.socket;
  const isDirect = proxy === undefined || url.protocol === "http:";
  if (isDirect && remoteAddress !== undefined && !judgeOf(url, guard)(remoteAddress)) {
    answer.destroy();
    throw refuse(url, remoteAddress);
  }
};
