import { BlockList, isIP, isIPv6 } from "node:net";

/**
 * What no public server lives at: this host, private networks, link-local (the metadata services of clouds), carrier NAT,
 * documentation, benchmarks, multicast, and the ways to write an IPv4 address in IPv6 (IANA special-purpose registries,
 * RFC 6890; 6to4 RFC 3056, NAT64 RFC 6052, Teredo RFC 4380 within 2001::/23, IPv4-translated RFC 7915). Of IPv6 only
 * 2000::/3 is given to servers (RFC 4291, 2.4), so that all beside it is closed but IPv4-mapped addresses, which are judged
 * as the IPv4 addresses that they are.
 */
const closedRanges = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(
    " ",
  ),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(
    " ",
  ),
  ..."2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" "),
  ..."::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48".split(" "),
  ..."100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/2 8000::/1".split(" "),
];

const familyOf = (address: string): "ipv4" | "ipv6" => (isIPv6(address) ? "ipv6" : "ipv4");

/** A list of addresses and ranges such as 10.0.0.0/8. Throws Error on what is neither. */
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
  /** Whether a connection may go there: public, or expressly allowed. */
  readonly mayReach: (address: string) => boolean;
  /** Whether plain HTTP may go there: to this host only, and only where that is expressly allowed. */
  readonly maySpeakPlainly: (address: string) => boolean;
};

/** Judges addresses. `allow` names addresses and ranges that may be reached though they are not public. */
export const makeAddressGuard = (allow: readonly string[]): AddressGuard => {
  const closed = listOf(closedRanges);
  const loopback = listOf(["127.0.0.0/8", "::1"]);
  const allowed = listOf(allow);
  const isAllowed = (address: string): boolean => allowed.check(address, familyOf(address));
  return {
    mayReach: (address) =>
      isIP(address) !== 0 && (!closed.check(address, familyOf(address)) || isAllowed(address)),
    maySpeakPlainly: (address) =>
      isIP(address) !== 0 && loopback.check(address, familyOf(address)) && isAllowed(address),
  };
};
