import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeAddressGuard } from "./address.ts";

const guard = makeAddressGuard([]);

describe("makeAddressGuard", () => {
  it.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "feff::1",
    "ff02::1",
    "2001::f227:a00:1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "3fff::1",
    "::ffff:0:127.0.0.1",
    "::ffff:0:a00:1",
    "100::1",
    "100:0:0:1::1",
    "5f00::1",
    "200::1",
    "4000::1",
    "no address",
  ])("refuses %s", (address) => {
    expect(guard.mayReach(address)).toBe(false);
    expect(guard.maySpeakPlainly(address)).toBe(false);
  });

  it.each([
    "8.8.8.8",
    "172.32.0.1",
    "2606:4700::1111",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2a00:1450::1",
    "::ffff:8.8.8.8",
  ])("permits %s", (address) => {
    expect(guard.mayReach(address)).toBe(true);
    expect(guard.maySpeakPlainly(address)).toBe(false);
  });

  it("blocks every IPv6 address outside the range of servers (2000::/3)", () => {
    const outside = fc.integer({ min: 0x100, max: 0xffff }).filter((first) => first >> 13 !== 1);
    fc.assert(
      fc.property(outside, fc.integer({ min: 0, max: 0xffff }), (first, second) => {
        expect(guard.mayReach(`${first.toString(16)}:${second.toString(16)}::1`)).toBe(false);
      }),
    );
  });

  it("treats an IPv4 address like its IPv6 form", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, byte, (...bytes) => {
        const address = bytes.join(".");
        expect(guard.mayReach(`::ffff:${address}`)).toBe(guard.mayReach(address));
      }),
    );
  });

  it("permits allowed addresses, and plain http only on this host", () => {
    const opened = makeAddressGuard(["10.1.0.0/16", "127.0.0.1"]);
    expect(opened.mayReach("10.1.2.3")).toBe(true);
    expect(opened.mayReach("10.2.2.3")).toBe(false);
    expect(opened.maySpeakPlainly("10.1.2.3")).toBe(false);
    expect(opened.maySpeakPlainly("127.0.0.1")).toBe(true);
    expect(opened.maySpeakPlainly("127.0.0.2")).toBe(false);
  });
});
