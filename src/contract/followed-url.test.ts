import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isFollowedUrl } from "./followed-url.ts";

describe("a URL that a browser follows", () => {
  it.each([
    "https://bank.example",
    "https://bank.example/onboarding?step=2#done",
    "https://bank.example:8443/done",
    "https://bänk.example/",
    "https://xn--bnk-qla.example/a%20b?next=https%3A%2F%2Fbank.example%2F",
    "http://localhost:3000/done",
    "http://127.0.0.1/",
    "http://[::1]:3000/",
    "https://bank.example/@user",
    "https://bank.example/?mail=a@b.example#c@d",
  ])("is %j", (url) => {
    expect(isFollowedUrl(url)).toBe(true);
  });

  it.each([
    "",
    "bank.example",
    "//bank.example/",
    "https:bank.example",
    "https:///bank.example",
    "https://",
    "https://bank.example@evil.example/",
    "https://bank.example:pw@evil.example/",
    "https://@evil.example/",
    "https://bank.example%40evil.example/",
    "https://bank.example\\@evil.example/",
    "https:\\\\evil.example/",
    "https://bank.example\t/",
    "https://ba\nnk.example/",
    " https://bank.example/",
    "https://bank.example/ ",
    "https://bank.example/a b",
    "https://bank.example/\u0000",
    "https://bank.example/\u202Egpj.exe",
    "https://bank.example/\u00A0",
    "https://bank\u200B.example/",
    "https://bank.example/\uD800",
    "https://bank.example:0/",
    "https://bank.example:65536/",
    "http://bank.example/",
    "http://localhost.evil.example/",
    "http://127.0.0.1.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://bank.example/1",
    "ftp://bank.example/",
  ])("is not %j", (url) => {
    expect(isFollowedUrl(url)).toBe(false);
  });

  it("leads to the host that stands between the slashes, whatever else it holds", () => {
    const part = fc.stringMatching(/^[ -~\t\n\\@:#?%/.a-z]{0,12}$/);
    fc.assert(
      fc.property(part, part, (before, after) => {
        const url = `https://${before}bank.example${after}`;
        if (!isFollowedUrl(url)) return;
        const written = url.slice("https://".length).split(/[/?#]/, 1)[0];
        expect(new URL(url).host).toBe(new URL(`https://${written}/`).host);
        expect(new URL(url).username).toBe("");
      }),
    );
  });
});
