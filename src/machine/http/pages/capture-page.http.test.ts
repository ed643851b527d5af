import { describe, expect, it } from "vitest";
import { startServer } from "#support/http/harness";

const sessionPage = "/capture/6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a";

const open = (options: Parameters<typeof startServer>[0] = {}) => {
  const { server } = startServer({ pageDetector: Uint8Array.of(1), ...options });
  return async (url: string) => await server.app.inject({ url, remoteAddress: "192.0.2.7" });
};

describe("the hosted capture page", () => {
  it("is one page for every session, and needs no key", async () => {
    const read = open();
    const [one, another] = [await read(sessionPage), await read("/capture/none")];
    expect([one.statusCode, another.statusCode]).toEqual([200, 200]);
    expect(one.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(another.body).toBe(one.body);
  });

  it("runs nothing inline, is stored nowhere, sends no address on, and stands in no frame", async () => {
    const { headers, body } = await open()(sessionPage);
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-frame-options": "DENY",
      "permissions-policy": "camera=(self), microphone=(), geolocation=()",
    });
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(body).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)/);
  });

  it("finds each file that it names, also behind a proxy with a path", async () => {
    const read = open();
    const { body } = await read(sessionPage);
    const named = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    const files = named.filter((path) => !path.startsWith("data:"));
    expect(files).toHaveLength(3);
    for (const file of files) {
      const { pathname } = new URL(file, `https://bank.example/idem${sessionPage}`);
      expect(pathname).toMatch(/^\/idem\//);
      expect((await read(pathname.replace("/idem", ""))).statusCode, file).toBe(200);
    }
  });

  it("is served however often others behind the same address load it", async () => {
    const read = open();
    for (let n = 0; n < 1_000; n++) await read("/capture/none");
    expect([(await read(sessionPage)).statusCode, (await read("/capture/page.css")).statusCode]).toEqual([
      200, 200,
    ]);
  });

  it("is absent from a process without pages", async () => {
    const { server } = startServer();
    expect((await server.app.inject({ url: sessionPage })).statusCode).toBe(404);
  });
});
