import { expect, it } from "vitest";
import { proxyNote } from "./proxy-note.ts";

it("is given in production alone, as long as no proxy is named", () => {
  const note = (mode: "production" | "development", trustedProxies?: readonly string[]) =>
    proxyNote({ mode, http: { trustedProxies } });
  expect(note("production")).toContain("IDEM_TRUSTED_PROXIES");
  expect(note("production", [])).toContain("IDEM_TRUSTED_PROXIES");
  expect(note("production", ["10.0.0.0/8"])).toBeUndefined();
  expect(note("development")).toBeUndefined();
});
