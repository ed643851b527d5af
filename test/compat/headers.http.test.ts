import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { routes } from "#contract/routes";
import { exampleFor, startContract } from "./contract-server.ts";

const { call, close } = startContract(async ({ appName, family }) => ({ appName, family }));
afterAll(close);

const bodied = routes.filter(({ method }) => method !== "GET");

/** A gateway forwards the agent of a phone's own library. */
const phone = { "user-agent": "Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)" };

describe("the header app-name", () => {
  it.each(bodied)("is required of nobody: $name", async (route) => {
    expect((await call(route, exampleFor(route), { headers: phone })).status).toBe(200);
  });

  it.each(["bank", "com.example.app/1.2 (Android)", "ñandú", "a b\tc", "0", "a".repeat(200)])(
    "is passed on in any form: %j",
    async (appName) => {
      const sent = Buffer.from(appName, "latin1").toString("latin1");
      for (const route of bodied.slice(0, 3)) {
        const { status, body } = await call(route, exampleFor(route), {
          headers: { ...phone, "app-name": sent },
        });
        expect([status, JSON.parse(body).appName]).toEqual([200, sent]);
      }
    },
  );

  it("counts as left out where it is empty, and is refused beyond its length", async () => {
    const [route] = bodied;
    const send = (headers: Readonly<Record<string, string>>) => call(route!, exampleFor(route!), { headers });
    expect(JSON.parse((await send({ "app-name": "", family: "" })).body)).toEqual({});
    expect((await send({ "app-name": "a".repeat(201) })).status).toBe(400);
  });
});

describe("a compressed body", () => {
  it.each(bodied)("is refused with the accepted encodings: $name", async (route) => {
    const payload = gzipSync(JSON.stringify(exampleFor(route)));
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const { status, headers: answered, body } = await call(route, {}, { headers, payload });
    expect([status, answered["accept-encoding"]]).toEqual([415, "identity"]);
    expect(JSON.parse(body)).toMatchObject({ failure: "encoding_unsupported" });
  });
});
