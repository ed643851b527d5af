import { isIPv6 } from "node:net";

/** Sixteen-bit groups of an IPv6 address, and of the network of one host (RFC 4291, 2.5.4: a /64). */
const groupsOfAddress = 8;
const groupsOfNetwork = 4;

const groupsOf = (text: string): readonly string[] => (text === "" ? [] : text.split(":"));

/** An IPv4 address at the end of an IPv6 address (RFC 4291, 2.2) counts as two groups. */
const widthOf = (groups: readonly string[]): number =>
  groups.length + (groups.at(-1)?.includes(".") === true ? 1 : 0);

/**
 * The group of addresses that share a budget: an IPv6 host owns its whole /64, an IPv4 address is its own
 * group, in every spelling (`::ffff:192.0.2.1` is `192.0.2.1`).
 */
export const neighbourhood = (address: string): string => {
  const [plain = ""] = address.split("%", 1);
  if (!isIPv6(plain)) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = [], tail = []] = plain.split("::").map(groupsOf);
  const left = Math.max(0, groupsOfAddress - head.length - widthOf(tail));
  return [...head, ...Array.from({ length: left }, () => "0"), ...tail]
    .slice(0, groupsOfNetwork)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
};
