import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClient } from "#cli/kit/service/client";
import { drawCases, persons, toBase64 } from "../harness/images.ts";
import { readBody } from "../harness/read-body.ts";
import { runIdem } from "../harness/run-idem.ts";
import type { Run } from "../harness/service.ts";
import { openTenant, type Tenant } from "../harness/tenant.ts";

/** A service of ours beside another server with the interface, and the command that compares them. */
let service: Tenant;
let folder: string;
let document: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-compare-"));
  service = await openTenant();
  document = toBase64((await drawCases())["genuine"]!.document);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const theirKey = "their-key-0123456789abcdef";
const theirScan = "3c9f1a52-5d0e-4f3e-8f1d-0d4f6d5f9c11";
const person = {
  firstName: "FRANCO ANDRES",
  lastName: "Muñoz Pruebas",
  idNumber: "12345678-5",
  dateOfBirth: "1980-03-15",
  nationality: "CHL",
};

/** Recorded answers of the other service, which deviate from ours. */
const recorded: Readonly<Record<string, (polls: number) => object>> = {
  "/v1/services/extractFacial": () => ({
    serviceResultCode: 0,
    serviceResultLog: "Executed",
    serviceTime: "201",
    serviceTransactionId: theirScan,
    timestamp: "2026-11-21T09:30:00.000Z",
    serviceFacialExtractionResult:
      '{"age":93,"glasses":"Sun","gender":"Female","iod":4000,"faceConfidence":0.99}',
  }),
  "/v1/verify/documentValidation/v2/start": () => ({
    timestamp: "2026-11-21T09:30:00.000Z",
    scanReference: theirScan,
  }),
  "/v1/verify/documentValidation/v2/status": (polls) => ({
    timestamp: "2026-11-21T09:30:00.000Z",
    scanReference: theirScan,
    status: polls < 2 ? "PENDING" : "DONE",
  }),
  "/v1/verify/documentValidation/v2/data": () => ({
    status: "Success",
    verification: { code: 9102, status: "Declined", reason: "Document expired", reasonCode: 511, person },
  }),
};

/** Another server with the interface: 401 without its key, 404 for another scan than its own. */
const startTheirs = async () => {
  const calls: string[] = [];
  let polls = 0;
  const server = createServer(async (request, response) => {
    const { url = "" } = request;
    calls.push(url);
    const body = await readBody(request);
    const isKnown = !body.includes("scanReference") || body.includes(theirScan);
    if (url.endsWith("/status")) polls++;
    const status = request.headers["x-api-key"] !== theirKey ? 401 : isKnown ? 200 : 404;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 200 ? recorded[url]?.(polls) : { message: "Unauthorized" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { url: `http://127.0.0.1:${address.port}/v1`, calls, close: () => server.close() };
};

const writeRequests = async (name: string, requests: readonly object[]): Promise<string> => {
  const path = join(folder, name);
  await writeFile(path, requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
  return path;
};

const validation = (version = "v2/") => [
  {
    path: `/verify/documentValidation/${version}start`,
    body: { country: "CHL", idType: "PASSPORT", documentFrontRawImage: document },
    capture: { scan: "scanReference" },
  },
  {
    path: `/verify/documentValidation/${version}status`,
    body: { scanReference: "{{scan}}" },
    until: { status: ["DONE", "FAILED"] },
  },
  { path: `/verify/documentValidation/${version}data`, body: { scanReference: "{{scan}}" }, name: "data" },
];

const keys = ["--their-key-env", "THEIR_KEY", "--our-key-env", "OUR_KEY"];

const compare = (file: string, theirs: string, key: string, ...more: readonly string[]): Promise<Run> => {
  const services = ["--requests", file, "--theirs", theirs, "--ours", service.url, "--per-second", "50"];
  const environment = { THEIR_KEY: key, OUR_KEY: service.apiKey };
  return runIdem(["compare-services", ...services, ...keys, ...more], environment);
};

describe("idem compare-services", () => {
  it("reports the differences of two services, and no personal value", async () => {
    const theirs = await startTheirs();
    try {
      const file = await writeRequests("differing.jsonl", [
        { path: "/services/extractFacial", body: { tokenBuffer: toBase64(persons.selfie) } },
        ...validation(),
      ]);
      const run = await compare(file, theirs.url, theirKey, "--json");
      expect(run, run.stderr).toMatchObject({ code: 1 });
      const report: unknown = JSON.parse(run.stdout);
      expect(report).toMatchObject({ equal: 2, different: 2, failed: 0, refused: 0 });
      expect(fieldsOf(report, "data")).toMatchObject({
        "verification.code": [{ theirs: "9102", ours: "9001", count: 1 }],
        "verification.status": [{ theirs: "Declined", ours: "Approved" }],
        "verification.reasonCode": [{ theirs: "511", ours: "null" }],
        "verification.reason": [{ theirs: "text", ours: "null" }],
        "verification.person.lastName": [
          { theirs: "text of 13", ours: expect.stringMatching(/^text of \d+$/) },
        ],
        "verification.person.dateOfBirth": [{ theirs: "date of 10", ours: "date of 10" }],
      });
      expect(fieldsOf(report, "POST /services/extractFacial")).toMatchObject({
        "serviceFacialExtractionResult.age": [{ theirs: "number", ours: "number" }],
        "serviceFacialExtractionResult.glasses": [{ theirs: "Sun", ours: "None" }],
      });
      expect(theirs.calls.filter((url) => url.endsWith("/status"))).toHaveLength(2);
      await expectNothingPersonal(run);
    } finally {
      theirs.close();
    }
  });

  it("finds no difference between a service and itself", async () => {
    const file = await writeRequests("equal.jsonl", [
      { path: "/services/evaluatePassiveLiveness", body: { imageBuffer: toBase64(persons.selfie) } },
      { path: "/services/extractFacial", body: {} },
      ...validation(),
    ]);
    const run = await compare(file, service.url, service.apiKey);
    expect(run.stdout).toContain("5 requests: 5 equal, 0 different, 0 failed; 1 refused by both\n");
    expect(run.code).toBe(0);
  });

  it("is no success where both services refuse every request", async () => {
    const file = await writeRequests("refused.jsonl", [
      { path: "/services/extractFacial", body: {} },
      { path: "/services/evaluatePassiveLiveness", body: {} },
    ]);
    const run = await compare(file, service.url, service.apiKey);
    expect(run.stdout).toContain("2 requests: 2 equal, 0 different, 0 failed; 2 refused by both\n");
    expect(run.stderr).toContain("Both services refused every request");
    expect(run.code).toBe(1);
  });

  it("replays a HAR export with each service's own ids", async () => {
    const entries = validation().map(({ path, body }) => ({
      request: {
        method: "POST",
        url: service.url + path,
        postData: { text: JSON.stringify(body).replaceAll("{{scan}}", theirScan) },
      },
      response: { content: { text: JSON.stringify({ scanReference: theirScan }) } },
    }));
    const file = join(folder, "export.har");
    await writeFile(file, JSON.stringify({ log: { entries } }));
    const run = await compare(file, service.url, service.apiKey);
    expect(run.stdout, run.stderr).toContain("3 requests: 3 equal, 0 different, 0 failed\n");
    expect(run.code).toBe(0);
  });

  it("counts what a service does not answer, and requests that needed its answer", async () => {
    const { url, close } = await startTheirs();
    close();
    const file = await writeRequests("silent.jsonl", validation());
    const run = await compare(file, url, theirKey);
    expect(run.code, run.stderr).toBe(1);
    expect(run.stdout).toContain("3 requests: 0 equal, 0 different, 3 failed\n");
    expect(run.stdout).toMatch(
      /theirs failed 1 times, 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\); line 1\n/u,
    );
    expect(run.stdout).toContain("theirs failed 1 times, no earlier answer gave {{scan}}; line 3\n");
  });

  it("sends no key in plain text to another machine", async () => {
    const file = await writeRequests("plain.jsonl", validation());
    const run = await compare(file, "http://192.0.2.1", theirKey);
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("192.0.2.1, where this service may not connect");
  });

  it("refuses a file with a mistake before it sends anything", async () => {
    const theirs = await startTheirs();
    try {
      const file = await writeRequests("wrong.jsonl", [
        { path: "/services/extractFacial", body: { tokenBuffer: "secret" } },
        { path: "/verify/documentValidation/v2/status", body: { scanReference: "{{scan}}" } },
      ]);
      const run = await compare(file, theirs.url, theirKey);
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toContain("Line 2 uses {{scan}}, which no earlier request captures");
      expect(theirs.calls).toEqual([]);
    } finally {
      theirs.close();
    }
  });

  it.each([
    [["--request", "x"], "Unknown option --request. Did you mean --requests?"],
    [[], "--requests FILE"],
    [["--requests", "x", "--theirs", "api.example.com"], "--theirs https://…"],
    [
      ["--requests", "x", "--theirs", "https://a.example", "--ours", "https://b.example"],
      "--their-key-env NAME",
    ],
  ])("explains wrong usage: %j", async (args, message) => {
    const run = await runIdem(["compare-services", ...args]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(message);
  });
});

const reportShape = Compile(
  Type.Object({
    operations: Type.Array(
      Type.Object({
        operation: Type.String(),
        fields: Type.Array(Type.Object({ field: Type.String(), pairs: Type.Array(Type.Object({})) })),
      }),
    ),
  }),
);

/** The differing fields of an operation, with the pairs of their values. */
const fieldsOf = (report: unknown, name: string): Readonly<Record<string, readonly object[]>> => {
  const found = reportShape.Parse(report).operations.find(({ operation }) => operation === name);
  return Object.fromEntries((found?.fields ?? []).map(({ field, pairs }) => [field, pairs]));
};

const values = Type.Record(Type.String(), Type.Unknown());
const startShape = Compile(Type.Object({ scanReference: Type.String() }));
const recordShape = Compile(
  Type.Object({ verification: Type.Object({ code: Type.Integer(), person: values, document: values }) }),
);

/** What our service answers of the document. */
const readOurs = async () => {
  const client = makeClient(service.url, service.apiKey);
  const [start] = validation();
  const { scanReference } = startShape.Parse((await client.post(start!.path, start!.body)).body);
  for (;;) {
    const { body } = await client.post("/verify/documentValidation/v2/data", { scanReference });
    const { verification } = recordShape.Parse(body);
    if (verification.code > 9000) return verification;
    await sleep(100);
  }
};

/** Neither values of the answers of both services, nor keys, nor parts of what was sent. */
const expectNothingPersonal = async ({ stdout, stderr }: Run): Promise<void> => {
  const ours = await readOurs();
  const { type: _, ...fields } = { ...ours.document, ...ours.person };
  const personal = [...Object.values(fields), ...Object.values(person)].filter(
    (value): value is string => typeof value === "string" && value.length >= 3,
  );
  expect(personal.length).toBeGreaterThan(8);
  for (const value of [...personal, theirKey, service.apiKey, theirScan, document.slice(1000, 1040)]) {
    expect(stdout + stderr).not.toContain(value);
  }
};
