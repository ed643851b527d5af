import { describe, expect, it } from "vitest";
import { serviceOf, tokenIn } from "./page-address.ts";

describe("the token of a page", () => {
  it("is the fragment of its address, if that may be one", () => {
    expect(tokenIn(`#idem_capture_${"a".repeat(43)}`)).toBe(`idem_capture_${"a".repeat(43)}`);
    for (const fragment of ["", "#", "#a b", "#%3Cscript%3E", `#${"a".repeat(129)}`]) {
      expect(tokenIn(fragment)).toBeUndefined();
    }
  });
});

describe("the service of a page", () => {
  it("is the folder above, with the path of a proxy", () => {
    expect(serviceOf("https://idem.example/capture/6f1c#t")).toBe("https://idem.example");
    expect(serviceOf("https://bank.example/idem/capture/6f1c")).toBe("https://bank.example/idem");
  });
});
