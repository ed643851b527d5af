import { createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { drawWithoutFace, toBase64 } from "./harness/images.ts";
import { makeHarness } from "./harness/service.ts";

const harness = await makeHarness();
afterAll(harness.clear);

/** A port of this machine without a listener. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0));
    });
  });

it("reports an outage of the object storage: not ready, 503 with its name, and one line in the log", async () => {
  const service = await harness.start({
    IDEM_S3_BUCKET: "pictures",
    IDEM_S3_ENDPOINT: `http://127.0.0.1:${await closedPort()}`,
    IDEM_S3_ACCESS_KEY_ID: "a",
    IDEM_S3_SECRET_ACCESS_KEY: "s",
    IDEM_LOG_LEVEL: "info",
  });
  const ready = await fetch(`${service.url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: "not ready", hindrances: ["the object storage does not answer"] },
  ]);
  const client = makeClient(service.url, service.apiKey);
  const documentFrontRawImage = toBase64(await drawWithoutFace());
  for (let call = 0; call < 3; call++) {
    const start = { country: "CHL", idType: "PASSPORT", documentFrontRawImage };
    expect(await client.post("/verify/documentValidation/v2/start", start)).toMatchObject({
      status: 503,
      body: { failure: "store_unavailable" },
    });
  }
  const errors = service
    .output()
    .split("\n")
    .filter((line) => line.includes('"level":"error"'));
  expect(errors).toHaveLength(1);
  expect(errors[0]).toMatch(/"failure":"store_unavailable","cause":".*ECONNREFUSED/);
  expect(service.output()).toMatch(/"message":"The service listens","component":"service","version":"/);
  expect(await service.stop()).toBe(0);
  expect(service.output()).toContain('"message":"The service ended"');
});
