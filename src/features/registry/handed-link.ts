import { BlockList, isIP, isIPv6 } from "node:net";
import { closedRanges, serverRanges } from "#contract/closed-addresses";
import { isDisguised } from "#contract/followed-url";
import type { RegistryField, RegistryPerson } from "./registry.ts";

/** Fields with an address that callers follow: a browser or a program of theirs loads it. */
export const linkFields = ["photoUrl", "signatureUrl"] as const satisfies readonly RegistryField[];

export const isLinkField = (field: RegistryField | "photo"): boolean =>
  linkFields.some((one) => one === field);

const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits] = range.split("/");
    list.addSubnet(network, Number(bits), isIPv6(network) ? "ipv6" : "ipv4");
  }
  return list;
};

/** The ranges that are closed to the outgoing calls of this service itself. */
const makeIsPublicAddress = (): ((address: string) => boolean) => {
  const [closed, servers] = [listOf(closedRanges), listOf(serverRanges)];
  return (address) =>
    isIPv6(address)
      ? servers.check(address, "ipv6") && !closed.check(address, "ipv6")
      : !closed.check(address, "ipv4");
};

const isPublicAddress = makeIsPublicAddress();

/**
 * Names of this machine, of a local network and of a cloud's metadata service (RFC 6761, 6762, 8375; ICANN:
 * internal, home, corp).
 */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

const isPublicHost = (hostname: string): boolean => {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes(".") && !localName.test(name);
};

/**
 * Whether a link of a registry may be handed to a caller: http or https to a public host, without user
 * information. A registry is another organisation, and an import is a file: neither may send a caller's
 * browser or server into the caller's own network. The name is not resolved: what it means at the caller is
 * not known here.
 */
export const isHandedLink = (text: string): boolean => {
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || isDisguised(text) || !URL.canParse(text))
    return false;
  const { hostname, username, password } = new URL(text);
  return username === "" && password === "" && isPublicHost(hostname);
};

/** The person without the links that may not be handed on. */
export const withoutRefusedLinks = (person: RegistryPerson): RegistryPerson => {
  const refused = linkFields.filter((field) => !isHandedLink(person.fields[field] ?? "https://a.example"));
  if (refused.length === 0) return person;
  const fields = { ...person.fields };
  for (const field of refused) delete fields[field];
  return { ...person, fields };
};
