import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { callsWithoutExample } from "#contract/examples/calls";
import { memberOf } from "../../scripts/contract/json.ts";
import { readContract } from "../../scripts/contract/read-contract.ts";
import { openTenant } from "../harness/tenant.ts";
import { runCollection } from "./run-collection.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("the collection runs against a running service as a new tenant, and holds every operation", async () => {
  const { url, apiKey } = await openTenant();
  const collection: unknown = JSON.parse(read("api/idem.postman_collection.json"));
  // Each parameter of a path is a value, or a variable in two braces.
  const urls = JSON.stringify(collection).match(/"raw":"\{\{[^"]*"/gu) ?? [];
  expect(urls.filter((raw) => raw.replaceAll(/\{\{\w+\}\}/gu, "").includes("{"))).toEqual([]);
  expect(urls.length).toBeGreaterThan(50);
  const run = await runCollection(collection, { baseUrl: url, apiKey });
  expect(run.filter(({ failed, checks }) => checks !== 1 || failed.length > 0)).toEqual([]);
  // No request of a second run is the retry of a first one.
  const again = await runCollection(collection, { baseUrl: url, apiKey });
  expect(again.map(({ name, status }) => [name, status])).toEqual(run.map(({ name }) => [name, 200]));

  const bodyOf = (name: string): unknown =>
    JSON.parse(run.find((item) => item.name.endsWith(`: ${name}`))?.body ?? "null");
  expect(memberOf(bodyOf("passportData"), "verification")).toMatchObject({ code: 9001 });
  expect(memberOf(bodyOf("contradictoryData"), "verification")).toMatchObject({ code: 9121 });
  expect(bodyOf("decline")).toMatchObject({ state: "decided" });
  expect(bodyOf("delete")).toMatchObject({
    deletedUserIds: [expect.stringMatching(/^user-4711-[\da-f-]{36}$/u)],
  });

  const { operations } = readContract(read("api/openapi.yaml"));
  const visible = operations.filter(
    ({ id, answers }) => !answers.has("501") && !callsWithoutExample.includes(id),
  );
  const held = new Set(run.map(({ folder, name }) => (folder === "Operation" ? name : name.split(":")[0])));
  expect(held).toEqual(
    new Set(visible.map(({ id, path, security }) => (security.includes("apiKey") ? id : path))),
  );
});
