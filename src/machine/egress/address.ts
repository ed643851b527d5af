import { BlockList, isIP, isIPv6 } from "node:net";
import { closedRanges, serverRanges } from "#contract/closed-addresses";

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
