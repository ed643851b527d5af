import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { implement, type Route } from "#contract/endpoint";
import { routes } from "#contract/routes";
import { makeRecordCall } from "#record/transactions/record-call";
import { openRecordingStore } from "#support/app/recording-store";
import { startServer } from "#support/http/harness";
import { untracked } from "#support/transactions/untracked";
import { credentialOf, exampleFor, findAnyPage } from "./contract-server.ts";

const tenantId = randomUUID();
const folder = await mkdtemp(join(tmpdir(), "idem-app-name-"));
const store = await openRecordingStore(join(folder, "idem.sqlite"));
const recordCall = makeRecordCall(store, untracked);
const posts = routes.filter(({ method, path }) => method === "POST" && !path.includes("{"));

/** Every operation of the interface, with a handler that records its call as all of ours do. */
const { server, makeKey } = startServer({
  makeId: randomUUID,
  findPage: findAnyPage(tenantId),
  endpoints: posts.map((route) =>
    implement(route, async (call) => {
      const entry = { endpoint: route.name, result: { facial: 3 }, measurements: null, policyVersion: "1" };
      await recordCall(call, entry);
      return { id: call.transactionId };
    }),
  ),
});
const apiKey = makeKey({ tenantId });

beforeAll(() => store.createTenant({ id: tenantId, name: tenantId, createdAt: new Date() }));
afterAll(async () => {
  await server.app.close();
  await store.close();
  await rm(folder, { recursive: true });
});

const recorded = async (route: Route, headers: Readonly<Record<string, string>>) => {
  const answer = await server.app.inject({
    method: "POST",
    url: route.path,
    headers: { ...credentialOf(route, apiKey), ...headers },
    payload: exampleFor(route),
  });
  return (await store.findTransaction(tenantId, answer.json().id))?.result;
};

it.each(posts)("is recorded with the transaction where it is sent: $name", async (route) => {
  expect(await recorded(route, { "app-name": "Banco Ñandú (Android 14)" })).toEqual({
    facial: 3,
    app: "Banco Ñandú (Android 14)",
  });
  expect(await recorded(route, {})).toEqual({ facial: 3 });
});
