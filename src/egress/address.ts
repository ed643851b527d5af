import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * Ranges without public servers: this host, private networks, link-local (metadata services of clouds),
 * carrier NAT, documentation, benchmarks, multicast, and the ways to write an IPv4 address in IPv6 (IANA
 * special-purpose registries, RFC 6890; 6to4 RFC 3056, Teredo RFC 4380 within 2001::/23).
 */
const closedRanges = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(
    " ",
  ),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(
    " ",
  ),
  ..."2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" "),
];

/**
 * The only IPv6 addresses of servers: 2000::/3 (RFC 4291, 2.4), and IPv4-mapped addresses, which are judged as their IPv4
 * addresses. So NAT64 (RFC 6052), IPv4-compatible and IPv4-translated addresses (RFC 4291, 7915) are closed.
 */
const serverRanges = ["2000::/3", "::ffff:0:0/96"];

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

/** A list of addresses and ranges such as 10.0.0.0/8. Throws Error for anything else. */
const listOf = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits, ...rest] = range.trim().split("/");
    if (isIP(address) === 0 || rest.length > 0) throw new Error(`${range} is no address and no range`);
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
};

export type AddressGuard = {
  /** Whether a connection may go there: public, or explicitly allowed. */
  readonly mayReach: (address: string) => boolean;
  /** Whether plain HTTP may go there: to this host only, and only where explicitly allowed. */
  readonly maySpeakPlainly: (address: string) => boolean;
};

/** Judges addresses. `allow` lists non-public addresses and ranges that may be reached. */
export const makeAddressGuard = (allow: readonly string[]): AddressGuard => {
  const [closed, servers] = [listOf(closedRanges), listOf(serverRanges)];
  const loopback = listOf(["127.0.0.0/8", "::1"]);
  const allowed = listOf(allow);
  const isAllowed = (address: string): boolean => allowed.check(address, familyOf(address));
  const isPublic = (address: string): boolean =>
    (!isIPv6(address) || servers.check(address, "ipv6")) && !closed.check(address, familyOf(address));
  return {
    mayReach: (address) => isIP(address) !== 0 && (isPublic(address) || isAllowed(address)),
    maySpeakPlainly: (address) =>
      isIP(address) !== 0 && loopback.check(address, familyOf(address)) && isAllowed(address),
  };
};
