import type { EgressReason } from "#machine/egress/egress";

/** A URL that must never be called, and why. */
export type HostileUrl = {
  readonly url: string;
  readonly why: string;
  readonly reason: EgressReason;
  /** The address of its name, as a name server gives it. */
  readonly at?: string;
};

/** URLs that are refused for one reason. */
export type Group = Omit<HostileUrl, "url"> & { readonly urls: readonly string[] };

/** URLs of hosts whose addresses are refused. */
export const refusedAddress = (why: string, hosts: readonly string[]): Group => ({
  why,
  reason: "address_refused",
  urls: hosts.map((host) => `https://${host}/`),
});

/** Texts that are no URL of this service. */
export const refusedUrl = (why: string, urls: readonly string[]): Group => ({
  why,
  reason: "url_refused",
  urls,
});

/** Names whose address is refused. */
export const nameAt = (why: string, at: string, hosts: readonly string[]): Group => ({
  ...refusedAddress(why, hosts),
  at,
});
