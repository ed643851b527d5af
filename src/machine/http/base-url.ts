import type { AddressInfo } from "node:net";

const isInternet = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

/** Names that a socket which listens on all addresses can be called by on its own machine. */
const loopback: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

/**
 * The address of a listening socket as a URL without a slash at the end; undefined for one that does not
 * listen on the network. A socket on all addresses has the loopback address.
 */
export const urlOfSocket = (address: AddressInfo | string | null): string | undefined => {
  if (!isInternet(address)) return undefined;
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${loopback[address.address] ?? host}:${address.port}`;
};

/**
 * Base of the URLs in answers: the operator's public URL, else the address that the service listens on. Never
 * the caller's Host header: a forged one would put a foreign address into the answers of others.
 */
export type BaseUrl = () => string;

type Listening = { readonly address: () => AddressInfo | string | null };

export const makeBaseUrl =
  (publicUrl: string | undefined, server: () => Listening): BaseUrl =>
  () =>
    publicUrl ?? urlOfSocket(server().address()) ?? "";
