import { describe, expect, it } from "vitest";
import { makeCallerAddress } from "./caller-address.ts";

const privateOnes = [
  "10.1.2.3",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "127.0.0.1",
  "169.254.1.1",
  "::1",
  "::ffff:10.0.0.1",
  "fd12:3456::1",
  "fe80::1%eth0",
];
const publicOnes = [
  "192.0.2.1",
  "172.15.255.255",
  "172.32.0.0",
  "100.63.255.255",
  "::ffff:192.0.2.1",
  "2001:db8::1",
];

describe("the address of a caller", () => {
  it("is that of the peer where a proxy is named, a private one too", () => {
    let proxies = 0;
    const addressOf = makeCallerAddress(["10.0.0.0/8"], () => proxies++);
    for (const address of [...privateOnes, ...publicOnes]) expect(addressOf(address), address).toBeDefined();
    expect(proxies).toBe(0);
  });

  it.each([undefined, []])(
    "is unknown for a private peer where none is named, and said once: %j",
    (named) => {
      let proxies = 0;
      const addressOf = makeCallerAddress(named, () => proxies++);
      for (const address of publicOnes) expect(addressOf(address), address).toBeDefined();
      expect(proxies).toBe(0);
      for (const address of privateOnes) expect(addressOf(address), address).toBeUndefined();
      expect(proxies).toBe(1);
    },
  );
});
