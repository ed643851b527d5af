import { describe, expect, it } from "vitest";
import { startServer } from "#support/http/harness";

const open = (options: Parameters<typeof startServer>[0] = {}) => {
  const { server } = startServer({ pageDetector: Uint8Array.of(1), hasDemo: true, ...options });
  return async (url: string) => await server.app.inject({ url, remoteAddress: "192.0.2.7" });
};

describe("the page of the demo", () => {
  it("needs no key, runs nothing inline, is stored nowhere, and stands in no frame", async () => {
    const { statusCode, headers, body } = await open()("/demo");
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "permissions-policy": "camera=(self), microphone=(), geolocation=()",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  it("finds each file that it names, also behind a proxy with a path", async () => {
    const read = open();
    const { body } = await read("/demo");
    const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    const files = named.filter((path) => !path.startsWith("data:"));
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { pathname } = new URL(file, "https://bank.example/idem/demo");
      expect(pathname).toMatch(/^\/idem\//);
      expect((await read(pathname.replace("/idem", ""))).statusCode, file).toBe(200);
    }
  });

  it("is refused to an address that loads it too often", async () => {
    const read = open({ limits: { demoLoads: { perSecond: 1, burst: 2 } } });
    const statuses = [await read("/demo"), await read("/demo"), await read("/demo")].map(
      (one) => one.statusCode,
    );
    expect(statuses).toEqual([200, 200, 429]);
  });

  it("is absent where the composition leaves it out, as in production", async () => {
    for (const path of ["/demo", "/demo/page.css"])
      expect((await open({ hasDemo: false })(path)).statusCode).toBe(404);
  });
});
