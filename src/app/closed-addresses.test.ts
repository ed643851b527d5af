import fc from "fast-check";
import { expect, it } from "vitest";
import { makeAddressGuard } from "#egress/address";
import { isHandedLink } from "#registry/handed-link";

const { mayReach } = makeAddressGuard([]);

it("are the same for links that a registry hands on and for the outgoing calls of this service", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(isHandedLink(`https://${address}/`)).toBe(mayReach(address));
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(isHandedLink(`https://[${address}]/`)).toBe(mayReach(address));
    }),
    { numRuns: 2_000 },
  );
  for (const first of [
    "10",
    "100.64",
    "127",
    "169.254",
    "172.16",
    "192.0.0",
    "192.168",
    "198.18",
    "203.0.113",
    "224",
    "240",
  ]) {
    const address = [...first.split("."), "1", "1", "1"].slice(0, 4).join(".");
    expect([mayReach(address), isHandedLink(`https://${address}/`)], address).toEqual([false, false]);
  }
});
