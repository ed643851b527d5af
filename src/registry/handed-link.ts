import { BlockList, isIP, isIPv6 } from "node:net";
import type { RegistryField, RegistryPerson } from "./registry.ts";

/** Fields whose value callers follow: a browser or a program of theirs loads what stands there. */
export const linkFields = ["photoUrl", "signatureUrl"] as const satisfies readonly RegistryField[];

export const isLinkField = (field: RegistryField | "photo"): boolean =>
  linkFields.some((one) => one === field);

/** Special-purpose ranges without public servers (IANA, RFC 6890), as egress/address.ts closes them for this service itself. */
const closedRanges = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const closed = new BlockList();
for (const [network, bits] of closedRanges)
  closed.addSubnet(network, bits, isIPv6(network) ? "ipv6" : "ipv4");
/** The only IPv6 addresses of servers (RFC 4291, 2.4). */
const servers = new BlockList();
servers.addSubnet("2000::", 3, "ipv6");
servers.addSubnet("::ffff:0:0", 96, "ipv6");

const isPublicAddress = (address: string): boolean =>
  isIPv6(address)
    ? servers.check(address, "ipv6") && !closed.check(address, "ipv6")
    : !closed.check(address, "ipv4");

/** Names of this machine, of a local network and of a cloud's metadata service (RFC 6761, 6762, 8375; ICANN: internal, home, corp). */
const localName = /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa)$/;

const isPublicHost = (hostname: string): boolean => {
  const name = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(name) !== 0) return isPublicAddress(name);
  return name.includes(".") && !localName.test(name);
};

/** Characters that a browser drops or reads otherwise, and blanks. */
const disguised = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\\]/u;

/**
 * Whether a link of a registry may be handed to a caller: http or https to a public host, without user information. A registry is another
 * organisation, and an import is a file: neither may send a caller's browser or server into the caller's own network. The name is not
 * resolved: what it means at the caller is not known here.
 */
export const isHandedLink = (text: string): boolean => {
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || disguised.test(text) || !URL.canParse(text))
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
