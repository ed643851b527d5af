import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eventually } from "#support/contract/eventually";
import { echoRoute, goodBody, post, startServer } from "#support/http/harness";
import { makeMetrics } from "./metrics.ts";

describe("probes", () => {
  it("healthz reports a live process; readyz reports unmet preconditions", async () => {
    let unmet: readonly string[] = [];
    const { server } = startServer({ findUnmet: () => Promise.resolve(unmet) });
    expect((await server.app.inject({ url: "/healthz" })).statusCode).toBe(200);
    expect((await server.app.inject({ url: "/readyz" })).statusCode).toBe(200);
    unmet = ["store: does not answer"];
    const answer = await server.app.inject({ url: "/readyz" });
    expect([answer.statusCode, answer.json().hindrances]).toEqual([503, unmet]);
  });

  it("healthz requests a restart when nothing else helps", async () => {
    let isBroken = false;
    const { server } = startServer({ isBroken: () => isBroken });
    const ask = async () => {
      const { statusCode, body } = await server.app.inject({ url: "/healthz" });
      return [statusCode, body];
    };
    expect(await ask()).toEqual([200, '{"status":"alive"}']);
    isBroken = true;
    expect(await ask()).toEqual([503, '{"status":"broken"}']);
  });

  it("publishes the sealing keys to pages of any origin", async () => {
    const { server } = startServer({ readPublicKeys: () => Promise.resolve({ keys: ["k"] }) });
    const answer = await server.app.inject({ url: "/.well-known/idem-keys.json" });
    expect(answer.json()).toEqual({ keys: ["k"] });
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    const sealing = await server.app.inject({ url: "/sealing.js" });
    expect(sealing.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
    expect(sealing.body).not.toMatch(/^import /m);
  });
});

describe("metrics", () => {
  it("count calls by route and status, without keys, tenants or paths", async () => {
    const metrics = makeMetrics();
    metrics.collect({ name: "idem_queue_length", help: "Waiting work", read: () => [{ value: 5 }] });
    const harness = startServer({ metrics });
    const key = harness.makeKey({ id: "key-of-x", tenantId: "tenant-of-x" });
    await post(harness, key, goodBody);
    await post(harness, key, {});
    await harness.server.app.inject({ url: "/secret-path" });
    await eventually(() => expect(harness.lines).toHaveLength(3));
    const { body } = await harness.server.app.inject({ url: "/metrics" });
    expect(body).toContain('idem_http_request_duration_seconds_count{route="echo",status="200"} 1');
    expect(body).toContain('idem_http_failures_total{route="echo",failure="request_invalid"} 1');
    expect(body).toContain('status="404"');
    expect(body).toContain("idem_queue_length 5");
    expect(body).toContain("nodejs_eventloop_lag");
    expect(body).toContain("idem_http_requests_in_flight 1");
    expect(body).not.toMatch(/key-of-x|tenant-of-x|secret-path/);
  });

  it("name every page outside the interface, in the log too, and call only missing paths unknown", async () => {
    const harness = startServer({ pageDetector: Uint8Array.of(1) });
    const pages = [
      ["/", "docs"],
      ["/docs", "docs"],
      ["/docs/start.js", "docs"],
      ["/openapi.json", "openapi"],
      ["/openapi.yaml", "openapi"],
      ["/errors/not_found", "errors"],
      ["/.well-known/idem-keys.json", "publicKeys"],
      ["/sealing.js", "sealing"],
      ["/widget/idem.js", "widget"],
      ["/widget/worker.js", "widget"],
      ["/widget/face-detector.bin", "widget"],
      ["/no-such-page", "unknown"],
    ] as const;
    for (const [url] of pages) await harness.server.app.inject({ url });
    await eventually(() =>
      expect(harness.logged().map(({ route }) => route)).toEqual(pages.map(([, route]) => route)),
    );
    const { body } = await harness.server.app.inject({ url: "/metrics" });
    for (const [, route] of pages) expect(body).toContain(`route="${route}",status=`);
  });

  it("may require a bearer token or be closed", async () => {
    const guarded = startServer({ metricsAccess: { bearer: "s3cret" } }).server.app;
    const without = await guarded.inject({ url: "/metrics" });
    expect([without.statusCode, without.headers["www-authenticate"]]).toEqual([
      401,
      'Bearer realm="idem", error="no_token"',
    ]);
    const wrong = await guarded.inject({ url: "/metrics", headers: { authorization: "Bearer no" } });
    expect([wrong.statusCode, wrong.headers["www-authenticate"]]).toEqual([
      401,
      'Bearer realm="idem", error="invalid_token"',
    ]);
    expect(
      (await guarded.inject({ url: "/metrics", headers: { authorization: "Bearer s3cret" } })).statusCode,
    ).toBe(200);
    const closed = startServer({ metricsAccess: "closed" }).server.app;
    const refused = await closed.inject({ url: "/metrics", headers: { authorization: "Bearer any" } });
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      "Metrics are closed in production. Set IDEM_METRICS_TOKEN, and send it: Authorization: Bearer TOKEN\n",
    ]);
  });
});

const slow = (ms: number, limits: { readonly noticeMs?: number } = {}) => {
  const started = Promise.withResolvers<void>();
  const harness = startServer({
    limits: { drainMs: 200, ...limits },
    handle: async () => {
      started.resolve();
      await wait(ms);
      return { seen: "done" };
    },
  });
  return { ...harness, started: started.promise };
};
const call = (address: string, key: string) =>
  fetch(`${address}${echoRoute.path}`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(goodBody),
  });

describe("drain", () => {
  it("lets running calls finish, closes their connection and accepts no new calls", async () => {
    const harness = slow(100);
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const inFlight = call(address, harness.makeKey());
    await harness.started;
    const drained = harness.server.drain();
    expect(harness.server.isDraining()).toBe(true);
    const answer = await inFlight;
    expect([answer.status, await answer.json()]).toEqual([200, { seen: "done" }]);
    await drained;
    await expect(call(address, harness.makeKey())).rejects.toThrow();
  });

  it("first refuses readiness alone: a balancer that asks meanwhile sends no call to a closed port", async () => {
    const harness = slow(0, { noticeMs: 400 });
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const drained = harness.server.drain();
    const statuses: number[] = [];
    let isReady = true;
    while (isReady) {
      // As a balancer does: a call goes out for as long as the last answer of /readyz was 200.
      const late = await call(address, harness.makeKey());
      statuses.push(late.status);
      expect(late.headers.get("connection")).toBe("close");
      isReady = (await fetch(`${address}/readyz`)).ok;
    }
    expect([statuses, harness.server.isDraining()]).toEqual([[200], false]);
    await drained;
    await expect(call(address, harness.makeKey())).rejects.toThrow();
  });

  it("answers readiness and new calls with 503 while a call finishes", async () => {
    const harness = slow(300);
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const inFlight = call(address, harness.makeKey());
    await harness.started;
    const drained = harness.server.drain();
    const ready = await fetch(`${address}/readyz`);
    const late = await call(address, harness.makeKey());
    expect([ready.status, late.status, late.headers.get("retry-after")]).toEqual([503, 503, "1"]);
    expect((await inFlight).status).toBe(503);
    await drained;
  });

  it("ends calls that do not finish in time with 503", async () => {
    const harness = slow(5_000);
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const inFlight = call(address, harness.makeKey());
    await harness.started;
    const started = performance.now();
    await harness.server.drain();
    expect(performance.now() - started).toBeLessThan(2_500);
    const answer = await inFlight;
    expect([answer.status, (await answer.json()).failure]).toEqual([503, "shutting_down"]);
  });

  it("ends at once without running calls, also with idle connections, and can be requested twice", async () => {
    const harness = slow(0);
    const address = await harness.server.listen({ host: "127.0.0.1", port: 0 });
    await (await call(address, harness.makeKey())).text();
    const started = performance.now();
    await Promise.all([harness.server.drain(), harness.server.drain()]);
    expect(performance.now() - started).toBeLessThan(900);
  });
});
