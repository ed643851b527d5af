import { readFileSync } from "node:fs";
import { Compile } from "typebox/schema";
import { beforeAll, describe, expect, it } from "vitest";
import { callsWithoutExample, exampleCalls } from "#contract/examples/calls";
import type { ExampleCall } from "#contract/examples/example-call";
import { exampleAssetLink } from "#contract/examples/operation-calls";
import { failureKinds } from "#contract/failure";
import { assetPath } from "#machine/http/assets";
import { isObject, type JsonObject, memberOf } from "../scripts/contract/json.ts";
import { readContract, readDocument } from "../scripts/contract/read-contract.ts";
import { differencesOf } from "../scripts/examples/answer-differences.ts";
import { type CallAnswer, runCalls, sendCall } from "../scripts/examples/run-calls.ts";
import { openTenant, type Tenant } from "./harness/tenant.ts";

/**
 * The committed specification, whose examples are sent as they stand there. After an intended change of an
 * answer, run `node scripts/example-answers.ts` and `npm run golden`.
 */
const yaml = readFileSync(new URL("../api/openapi.yaml", import.meta.url), "utf8");
const document = readDocument(yaml);
const { operations } = readContract(yaml);

const statedOf = (path: string, method: string): unknown =>
  memberOf(document, "paths", path, method.toLowerCase());

const examplesIn = (holder: unknown): JsonObject => {
  const examples = memberOf(holder, "content", "application/json", "examples");
  return isObject(examples) ? examples : {};
};

const ofCall = ({ route }: ExampleCall): unknown => statedOf(route.path, route.method);
const bodyOf = (call: ExampleCall): unknown =>
  memberOf(examplesIn(memberOf(ofCall(call), "requestBody")), call.name, "value");
const answerOf = (call: ExampleCall): unknown =>
  memberOf(examplesIn(memberOf(ofCall(call), "responses", "200")), call.name, "value");

/** The call with the body of the committed specification. */
const asStated = (call: ExampleCall): ExampleCall => {
  const body = bodyOf(call);
  return { ...call, fields: { ...call.fields, ...(isObject(body) ? body : {}) } };
};

let tenant: Tenant;
let answers: ReadonlyMap<string, CallAnswer>;
const alone = new Map<string, CallAnswer>();

beforeAll(async () => {
  tenant = await openTenant();
  const calls = exampleCalls.map(asStated);
  for (const call of calls.filter((one) => one.alone !== undefined)) {
    alone.set(call.name, await sendCall(tenant, call, call.fields));
  }
  answers = await runCalls(tenant, calls);
});

describe("the examples of the specification", () => {
  it("are these calls, for every operation that can be called", () => {
    const visible = operations.filter(
      ({ path, method }) => memberOf(statedOf(path, method), "x-internal") !== true,
    );
    const withKey = visible.filter(
      ({ id, security }) => security.includes("apiKey") && !callsWithoutExample.includes(id),
    );
    const stated = withKey.flatMap(({ id, path, method }) => {
      const operation = statedOf(path, method);
      const requests = Object.keys(examplesIn(memberOf(operation, "requestBody")));
      const given = Object.keys(examplesIn(memberOf(operation, "responses", "200")));
      expect(requests.length === 0 || requests.join() === given.join(), id).toBe(true);
      expect(given, id).not.toEqual([]);
      return given.map((name) => `${id} ${name}`);
    });
    expect(stated.toSorted()).toEqual(
      exampleCalls.map(({ route, name }) => `${route.name} ${name}`).toSorted(),
    );
  });

  it.each(exampleCalls)("$name: answers what is stated", (call) => {
    const { status, body } = answers.get(call.name) ?? expect.unreachable(call.name);
    expect([status, differencesOf(answerOf(call), body)], JSON.stringify(body).slice(0, 2000)).toEqual([
      200,
      [],
    ]);
    const answer = operations.find(({ id }) => id === call.route.name)?.answers.get("200");
    const schema = answer?.contents.get("application/json") ?? expect.unreachable(call.name);
    expect(Compile(schema).Check(body)).toBe(true);
  });

  it.each(exampleCalls.flatMap(({ name, alone: code }) => (code === undefined ? [] : [{ name, code }])))(
    "$name: as it stands, answers $code",
    ({ name, code }) => {
      expect(alone.get(name)).toMatchObject({ status: failureKinds[code].status, body: { failure: code } });
      const call = exampleCalls.find((one) => one.name === name) ?? expect.unreachable(name);
      expect(JSON.stringify(ofCall(call))).toContain(
        `As it stands: ${failureKinds[code].status}, \`${code}\`.`,
      );
    },
  );

  const isOpen = ({ path, security }: (typeof operations)[number]): boolean =>
    security.length === 0 && path !== assetPath;

  it("an image of an operation: is served to the holder of its link, as its schema states", async () => {
    const { from, member } = exampleAssetLink;
    const link = memberOf(answers.get(from)?.body, ...member.split("."));
    const response = await fetch(String(link));
    expect(response.status).toBe(200);
    const stated = operations.find(({ path }) => path === assetPath)?.answers.get("200");
    const schema = stated?.contents.get(response.headers.get("content-type") ?? "");
    expect(Compile(schema ?? expect.unreachable("The type is not stated")).Check(await response.text())).toBe(
      true,
    );
  });

  it.each(operations.filter((one) => isOpen(one) || one.security.includes("metricsToken")))(
    "$name: answers what its schema states, without a key",
    async ({ path, answers: stated }) => {
      const response = await fetch(tenant.url + path);
      expect(response.status).toBe(200);
      const [type = "", schema = {}] = [...(stated.get("200")?.contents ?? [])][0] ?? [];
      expect(response.headers.get("content-type")).toContain(type);
      const body = await response.text();
      expect(Compile(schema).Check(type === "application/json" ? JSON.parse(body) : body)).toBe(true);
    },
  );
});
