import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startServer } from "#support/http/harness";
import { widgetPages } from "./widget.ts";

const { server } = startServer({ pageDetector: Uint8Array.of(1, 2, 3) });
const read = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  server.app.inject({ url, headers });

describe("the files of the capture elements", () => {
  it.each(widgetPages)(
    "%s may be loaded by pages of every origin, and is cached with an ETag",
    async (path) => {
      const answer = await read(path);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers).toMatchObject({
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
        "x-content-type-options": "nosniff",
      });
      const again = await read(path, { "if-none-match": String(answer.headers["etag"]) });
      expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
      expect((await read(path, { "if-none-match": '"other"' })).statusCode).toBe(200);
    },
  );

  it("come in gzip where the browser takes it", async () => {
    const plain = await read("/widget/idem.js");
    const packed = await read("/widget/idem.js", { "accept-encoding": "br, gzip" });
    expect(packed.headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(
      (await read("/widget/idem.js", { "accept-encoding": "gzip;q=0" })).headers["content-encoding"],
    ).toBeUndefined();
    const same = await read("/widget/idem.js", {
      "accept-encoding": "gzip",
      "if-none-match": String(packed.headers["etag"]),
    });
    expect(same.statusCode).toBe(304);
  });

  it("let the worker fetch the weights and nothing else", async () => {
    const { headers } = await read("/widget/worker.js");
    expect(headers["content-security-policy"]).toBe(
      "default-src 'none'; connect-src 'self'; frame-ancestors 'none'",
    );
    expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect((await read("/widget/face-detector.bin")).rawPayload).toEqual(Buffer.of(1, 2, 3));
  });

  it("are absent from a server without them", async () => {
    const other = startServer();
    expect((await other.server.app.inject({ url: "/widget/idem.js" })).statusCode).toBe(404);
  });
});
