import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Compile } from "typebox/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memberOf } from "../../scripts/contract/json.ts";
import { type Operation, readContract } from "../../scripts/contract/read-contract.ts";
import { drawWithoutFace, persons, toBase64 } from "../harness/images.ts";
import { jsonOf, type Received } from "./exchange.ts";
import { type Generated, type KnownValues, requestsOf } from "./requests.ts";
import { readAttackSettings } from "./settings.ts";
import { startTarget, type Target } from "./target.ts";

const settings = readAttackSettings();
const { operations } = readContract(readFileSync(new URL("../../api/openapi.yaml", import.meta.url), "utf8"));

/** More than any time allows: the seconds end a run, or --cases. */
const casesMax = 1_000_000;

let target: Target;
let known: KnownValues;

const post = async (id: string, fields: object): Promise<unknown> => {
  const { method, path } = target.operation(id);
  const headers = { "content-type": "application/json", "x-api-key": target.keys.all };
  return jsonOf(await target.exchange({ method, path, headers, body: Buffer.from(JSON.stringify(fields)) }));
};

/** Objects of the service that generated requests refer to, so that they reach its inner parts. */
const makeKnown = async (): Promise<KnownValues> => {
  const selfie = toBase64(persons.selfie);
  const table = toBase64(await drawWithoutFace());
  const [bestImage, faceImage, document] = await Promise.all([
    target.seal("best-image"),
    target.seal("face-image", persons.portrait),
    target.seal("document-image", await drawWithoutFace()),
  ]);
  const started = await post("startDocumentValidation", {
    country: "CHL",
    idType: "PASSPORT",
    documentFrontRawImage: table,
  });
  const judged = await post("identity", { token1: selfie, bestImageToken: bestImage, method: "3" });
  const user = { userId: "user-4711", merchantReferenceId: "a", registeredTemplateRaw: faceImage };
  const enrolled = await post("authenticateUser", {
    ...user,
    bestImageToken: await target.seal("best-image"),
  });
  const template = memberOf(enrolled, "registeredTemplateRaw");
  const transaction = memberOf(judged, "serviceTransactionId");
  return {
    scanReference: [memberOf(started, "scanReference")],
    transactionId: [transaction],
    serviceTransactionId: [transaction],
    userId: ["user-4711"],
    imageBuffer: [selfie, table],
    tokenBuffer: [selfie, faceImage],
    token1: [selfie, faceImage, template],
    token2: [selfie, template],
    image: [selfie],
    bestImageToken: [bestImage],
    template: [template],
    registeredTemplateRaw: [template, faceImage],
    oldRegisteredTemplateRaw: [template],
    newRegisteredTemplateRaw: [faceImage],
    tokenFrontDocument: [document],
    tokenOcr: [document],
    documentFrontRawImage: [table],
    frontsideImage: [table],
    frontSideImage: [table, selfie],
    backSideImage: [table],
    countryCode: ["PSP", "CHL"],
    country: ["CHL"],
    tokenized: [false],
  };
};

beforeAll(async () => {
  target = await startTarget();
  known = await makeKnown();
});
afterAll(() => target.close());

/** A parameter as it stands in a path or a query. A lone surrogate has no such form. */
const encoded = (value: unknown): string => encodeURIComponent(String(value).toWellFormed());

const isHeaderValue = (value: unknown): value is string =>
  typeof value === "string" && /^[\x20-\x7e]*$/.test(value);

const send = async (operation: Operation, { parameters, body }: Generated): Promise<Received> => {
  const place = (name: string): string => operation.parameters.find((one) => one.name === name)?.place ?? "";
  const given = Object.entries(parameters);
  const query = given.filter(([name]) => place(name) === "query" && name !== "apiKey");
  const headers = given.filter(([name, value]) => place(name) === "header" && isHeaderValue(value));
  const key = operation.security.includes("apiKeyInQuery") ? [["apiKey", target.keys.all] as const] : [];
  const search = [...query, ...key].map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_whole, name: string) => encoded(parameters[name]) || "%20",
  );
  const hasBody = operation.bodies.size > 0;
  return await target.exchange({
    method: operation.method,
    path: search === "" ? path : `${path}?${search}`,
    headers: {
      ...Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      "x-api-key": target.keys.all,
      ...(hasBody && { "content-type": "application/json" }),
    },
    ...(hasBody && { body: Buffer.from(JSON.stringify(body)) }),
  });
};

/** What JSON carries of the body, which is what the service judges. */
const carried = (body: object): unknown => JSON.parse(JSON.stringify(body));

const count = { requests: 0, accepted: 0, refused: 0 };

const faultsOf = async (operation: Operation, request: Generated): Promise<readonly string[]> => {
  const received = await send(operation, request);
  count.requests += 1;
  const [schema] = operation.bodies.values();
  const isSound = schema === undefined || Compile(schema).Check(carried(request.body));
  const isTaken = received.status === 200;
  if (isTaken) count.accepted += 1;
  else count.refused += 1;
  // A path that is too long or cannot be decoded is no path of the contract.
  const isUnknownPath = received.status === 404 && memberOf(jsonOf(received), "failure") === "path_unknown";
  return [
    ...(isUnknownPath ? [] : target.judge(operation, received)),
    ...(isTaken && !isSound ? ["a body that the schema refuses was accepted"] : []),
  ];
};

describe("every operation", () => {
  it.each(operations)("gives declared answers to generated requests: $name", async (operation) => {
    const property = fc.asyncProperty(requestsOf(operation, known), async (request) => {
      const faults = await faultsOf(operation, request);
      if (faults.length > 0)
        throw new Error(`${faults.join("\n")}\n${JSON.stringify(request).slice(0, 2000)}`);
    });
    const milliseconds = (settings.seconds.specification * 1000) / operations.length;
    const details = await fc.check(property, {
      seed: settings.seed,
      numRuns: settings.cases ?? casesMax,
      ...(settings.cases === undefined && { plugins: [fc.interruptAfterTimeLimit(milliseconds)] }),
      ...(settings.path !== undefined && { path: settings.path }),
    });
    const repeat = `npm run test:attack -- --part specification --seed ${settings.seed} --path ${details.counterexamplePath} -- -t "${operation.name}"`;
    // A run that the time limit ended counts as failed too, but has no counterexample.
    expect(details.counterexample, `${repeat}\n${String(details.errorInstance)}`).toBeNull();
  });

  it("is called often, and some generated requests succeed", () => {
    console.log(
      `${count.requests} requests to ${operations.length} operations: ${count.accepted} answered 200, ${count.refused} refused`,
    );
    if (settings.path !== undefined) return;
    expect(count.requests).toBeGreaterThan(operations.length * 5);
    expect(count.accepted).toBeGreaterThan(operations.length);
  });

  it("leaves the service ready", async () => {
    const received = await target.exchange({ method: "GET", path: "/readyz" });
    expect(jsonOf(received)).toMatchObject({ status: "ready" });
  });
});
