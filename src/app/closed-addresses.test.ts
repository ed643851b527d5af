import fc from "fast-check";
import { expect, it } from "vitest";
import { isHandedLink } from "#features/registry/handed-link";
import { makeAddressGuard } from "#machine/egress/address";
import { makeCallerAddress } from "#machine/http/caller-address";

const { mayReach } = makeAddressGuard([]);

it("hold every address that no caller has on the internet", () => {
  const callerAddress = makeCallerAddress(undefined, () => undefined);
  const isPrivate = (address: string): boolean => callerAddress(address) === undefined;
  let seen = 0;
  const judge = (address: string): void => {
    if (!isPrivate(address)) return;
    seen += 1;
    expect(mayReach(address), address).toBe(false);
  };
  fc.assert(fc.property(fc.ipV4(), judge), { numRuns: 5_000 });
  fc.assert(fc.property(fc.ipV6(), judge), { numRuns: 5_000 });
  for (const address of ["10.0.0.0", "100.64.0.0", "100.127.255.255", "127.0.0.1", "169.254.255.255"])
    judge(address);
  for (const address of ["172.16.0.0", "172.31.255.255", "192.168.255.255", "::1", "fc00::", "fe80::1"])
    judge(address);
  expect(seen).toBeGreaterThanOrEqual(11);
});

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
