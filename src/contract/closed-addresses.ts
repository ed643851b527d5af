/**
 * Ranges without public servers: this host, private networks, link-local (metadata services of clouds),
 * carrier NAT, documentation, benchmarks, multicast, and the ways to write an IPv4 address in IPv6 (IANA
 * special-purpose registries, RFC 6890; 6to4 RFC 3056, Teredo RFC 4380 within 2001::/23). Outgoing calls and
 * the links of registries lead to none of them.
 */
export const closedRanges = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3fff::/20",
] as const;

/**
 * The only IPv6 addresses of servers: 2000::/3 (RFC 4291, 2.4), and IPv4-mapped addresses, which are judged
 * as their IPv4 addresses. So NAT64 (RFC 6052), IPv4-compatible and IPv4-translated addresses (RFC
 * 4291, 7915) are closed.
 */
export const serverRanges = ["2000::/3", "::ffff:0:0/96"] as const;
