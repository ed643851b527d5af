import { describe, expect, it } from "vitest";
import { neighbourhood } from "./neighbourhood.ts";

describe("the neighbourhood of an address", () => {
  it.each([
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:db8::ffff:1", "2001:db8:0:0"],
    ["2001:0db8:0:0:1:2:3:4", "2001:db8:0:0"],
    ["2001:DB8:1:2::", "2001:db8:1:2"],
    ["::1", "0:0:0:0"],
    ["1::", "1:0:0:0"],
    ["fe80::1:2%eth0", "fe80:0:0:0"],
    ["64:ff9b::192.0.2.1", "64:ff9b:0:0"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "192.0.2.1"],
    ["", ""],
  ])("of %s is %s", (address, expected) => {
    expect(neighbourhood(address)).toBe(expected);
  });
});
