import { BlockList, isIPv6 } from "node:net";
import { neighbourhood } from "./neighbourhood.ts";

/**
 * Addresses that no caller has on the internet: private, shared (carrier-grade NAT), loopback and link-local
 * ones (RFC 1918, 6598, 1122, 3927; RFC 4193, 4291).
 */
const makePrivate = (): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of [
    ["10.0.0.0", 8],
    ["172.16.0.0", 12],
    ["192.168.0.0", 16],
    ["100.64.0.0", 10],
    ["127.0.0.0", 8],
    ["169.254.0.0", 16],
  ] as const) {
    list.addSubnet(network, prefix, "ipv4");
  }
  list.addAddress("::1", "ipv6");
  list.addSubnet("fc00::", 7, "ipv6");
  list.addSubnet("fe80::", 10, "ipv6");
  return list;
};

export type CallerAddress = (remoteAddress: string) => string | undefined;

/**
 * The neighbourhood of a caller, if the address is the caller's own. Without a trusted proxy a private peer
 * is most likely a proxy, whose address all callers share: undefined, and `onProxy` is called once.
 */
export const makeCallerAddress = (
  trustedProxies: readonly string[] | undefined,
  onProxy: () => void,
): CallerAddress => {
  const privateAddresses = makePrivate();
  const namesProxies = trustedProxies !== undefined && trustedProxies.length > 0;
  let isReported = false;
  return (remoteAddress) => {
    const place = neighbourhood(remoteAddress);
    if (namesProxies) return place;
    // A mapped IPv4 address has its IPv4 spelling as its neighbourhood; an IPv6 one names a network, not an
    // address.
    const [plain = ""] = remoteAddress.split("%", 1);
    const isPrivate =
      isIPv6(plain) && place.includes(":")
        ? privateAddresses.check(plain, "ipv6")
        : privateAddresses.check(place, "ipv4");
    if (!isPrivate) return place;
    if (!isReported) onProxy();
    isReported = true;
    return undefined;
  };
};
