import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepBlobs } from "#machine/storage/sealed-blobs";
import { imageOf } from "#support/face/images";
import { makeCaller, type OperationHarness, openOperationHarness } from "#support/operations/harness";

let harness: OperationHarness;
let tenantId: string;
let call: ReturnType<typeof makeCaller>;

beforeAll(async () => {
  harness = await openOperationHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  harness.clock.aheadMs = 0;
  tenantId = await harness.newTenant();
  call = makeCaller(harness, tenantId);
});

const selfie = imageOf("franck_02221.jpg");
const imageBuffer = Buffer.from(selfie).toString("base64");

/** A liveness call of the operation. */
const evaluate = (tracking: object, caller = call) =>
  caller("POST", "/services/evaluatePassiveLiveness", { imageBuffer, tracking });

const finish = (fields: object, caller = call) =>
  caller("POST", "/services/finishTracking", {
    family: "OnBoarding",
    status: "SUCCEEDED",
    extraData: "a token of some SDK",
    ...fields,
  });

const show = (id: string, caller = call) => caller("GET", `/operator/operations/${id}`);

const newOperation = async (caller = call): Promise<string> => {
  const id = randomUUID();
  expect((await evaluate({ operationId: id }, caller)).status).toBe(200);
  return id;
};

const evidence = () =>
  harness
    .query(
      `select kind, body from evidence join evidence_bodies using (tenant_id, seq) where tenant_id = '${tenantId}' order by seq`,
    )
    .map(({ kind, body }) => ({ kind, ...JSON.parse(String(body)) }));

describe("finishTracking", () => {
  it("ends an operation, with its last event, its record and its evidence in one answer", async () => {
    const id = await newOperation();
    const { status, body } = await finish({ operationId: id, reason: null });
    expect([status, body]).toEqual([
      200,
      {
        trackingStatus: 201,
        trackingMessage: "FinishTrackingEvent: Ok",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
        transactionId: expect.any(String),
      },
    ]);
    const { body: shown } = await show(id);
    expect(shown).toMatchObject({
      operationId: id,
      state: "SUCCEEDED",
      reason: null,
      family: "OnBoarding",
      expiresAt: null,
      customerId: id,
      isWhole: true,
    });
    expect(shown.events.map(({ name, sequence }: Record<string, unknown>) => [sequence, name])).toEqual([
      [1, "operation_started"],
      [2, "selfie_captured"],
      [3, "passive_liveness_evaluated"],
      [4, "operation_finished"],
    ]);
    expect(shown.events.at(-1).data).toEqual({ status: "SUCCEEDED", context: { customerId: id } });
    const { transactionId } = body;
    expect(shown.steps.at(-1)).toMatchObject({
      endpoint: "finishTracking",
      transactionId,
      result: { state: "SUCCEEDED", reason: null },
    });
    expect(await harness.store.findTransaction(tenantId, transactionId)).toMatchObject({
      endpoint: "finishTracking",
    });
    const entry = { kind: "operation_ended", operation: id, transaction: transactionId, state: "SUCCEEDED" };
    expect(evidence().at(-1)).toEqual({ ...entry, reason: null });
  });

  it("answers the same end again like the first, stores nothing for it, and refuses another end", async () => {
    const id = await newOperation();
    const first = await finish({ operationId: id, status: "CANCELLED", reason: "SELPHI_TIMEOUT" });
    const rows = () =>
      harness.query(`select count(*) as n from transactions where tenant_id = '${tenantId}'`);
    const before = rows();
    const again = await finish({ operationId: id, status: "CANCELLED", reason: "" });
    expect({ ...again.body, timestamp: "" }).toEqual({ ...first.body, timestamp: "" });
    const other = await finish({ operationId: id, status: "DENIED" });
    expect([other.status, other.body.failure]).toEqual([409, "operation_finished"]);
    expect(rows()).toEqual(before);
    expect((await show(id)).body).toMatchObject({ state: "CANCELLED", reason: "SELPHI_TIMEOUT" });
    expect((await show(id)).body.events.at(-1).data.status).toBe("DENIED");
  });

  it("ends an operation once, whichever of many simultaneous ends comes first", async () => {
    const id = await newOperation();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        finish({ operationId: id, status: n % 2 === 0 ? "DENIED" : "ERROR" }),
      ),
    );
    const { body } = await show(id);
    const finished = body.events.filter(({ name }: { name: string }) => name === "operation_finished");
    expect(finished).toHaveLength(1);
    const ok = answers.filter(({ status }) => status === 200);
    expect([ok.length, new Set(ok.map((answer) => answer.body.transactionId)).size]).toEqual([6, 1]);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6);
  });

  it("is final: a further call of the operation is refused, and nothing of it is stored", async () => {
    const id = await newOperation();
    await finish({ operationId: id });
    const { body: before } = await show(id);
    const { status, body } = await evaluate({ operationId: id });
    expect([status, body.failure]).toEqual([409, "operation_finished"]);
    expect((await show(id)).body.steps).toEqual(before.steps);
  });

  it("leaves out a further call by its tracking token alone, which is answered", async () => {
    const extraData = "a token that is used again";
    expect((await evaluate({ extraData })).status).toBe(200);
    await finish({ extraData, status: "DENIED" });
    const { body: listed } = await call("GET", "/operator/operations");
    const id = listed.operations[0].operationId;
    const { body: before } = await show(id);
    const { status, body } = await evaluate({ extraData });
    expect([status, body.serviceLivenessResult]).toEqual([200, expect.any(Number)]);
    expect(await harness.store.findTransaction(tenantId, body.serviceTransactionId)).toMatchObject({
      endpoint: "evaluatePassiveLiveness",
    });
    const { body: after } = await show(id);
    expect([after.state, after.steps, after.events]).toEqual([before.state, before.steps, before.events]);
    expect((await evaluate({ operationId: id, extraData })).status).toBe(409);
  });

  it.each([
    ["of 129 characters", "i".repeat(129)],
    ["of 40,000 characters that are no Base64", "ñ".repeat(40_000)],
  ])("takes an operationId that is longer than a plain one: %s", async (_, operationId) => {
    expect((await evaluate({ operationId })).status).toBe(200);
    expect((await evaluate({ operationId })).status).toBe(200);
    const { body } = await call("GET", "/operator/operations?state=open");
    expect(body.operations).toHaveLength(1);
    expect((await show(body.operations[0].operationId)).body.steps).toHaveLength(2);
    expect((await finish({ operationId })).status).toBe(200);
    expect((await evaluate({ operationId })).status).toBe(409);
  });

  it.each([
    ["JSON", (id: string) => JSON.stringify({ operationId: id })],
    ["Base64 of JSON", (id: string) => Buffer.from(JSON.stringify({ operationId: id })).toString("base64")],
    [
      "a JWT",
      (id: string) =>
        ["{}", JSON.stringify({ operationId: id }), "signature"]
          .map((part) => Buffer.from(part).toString("base64url"))
          .join("."),
    ],
    [
      "a tracking token of this service",
      (id: string) => harness.seal("tracking", Buffer.from(JSON.stringify({ operationId: id }))),
    ],
  ])("finds the operation whose id its tracking token holds: %s", async (_, write) => {
    const id = await newOperation();
    expect((await finish({ extraData: await write(id) })).status).toBe(200);
    expect((await show(id)).body.state).toBe("SUCCEEDED");
  });

  it("finds the operation of an earlier call with the same tracking token, short or long", async () => {
    const lengths = [20_000, 500_000];
    const tokens = lengths.map((length) => Buffer.alloc(length, "idem").toString("base64"));
    for (const extraData of ["any text !", "ñ".repeat(120_000), ...tokens]) {
      const id = randomUUID();
      await evaluate({ operationId: id, extraData });
      expect((await finish({ extraData })).status).toBe(200);
      expect((await show(id)).body.state).toBe("SUCCEEDED");
    }
  });

  it("finds the operation of calls that brought a tracking token alone", async () => {
    await evaluate({ extraData: "a token alone" });
    expect((await finish({ extraData: "a token alone" })).status).toBe(200);
    const { body } = await call("GET", "/operator/operations?state=SUCCEEDED");
    expect(body.operations).toHaveLength(1);
  });

  it("finds nothing of another tenant or environment: the answers are equal to the byte", async () => {
    const extraData = JSON.stringify({ operationId: await newOperation() });
    const missing = await finish({ extraData: JSON.stringify({ operationId: randomUUID() }) });
    expect([missing.status, missing.body.failure]).toEqual([404, "operation_unknown"]);
    const others = [makeCaller(harness, await harness.newTenant()), makeCaller(harness, tenantId, "live")];
    for (const other of others) expect(await finish({ extraData }, other)).toEqual(missing);
  });

  it("refuses a tracking token of more than some 800 kB", async () => {
    const { status, body } = await finish({ extraData: "A".repeat(800_000) });
    expect([status, body.failure]).toEqual([413, "body_too_large"]);
  });

  it("asks for operationId where extraData is empty", async () => {
    const { status, body } = await finish({ extraData: "" });
    expect([status, body.errors]).toEqual([
      400,
      [
        "extraData: is empty, and there is no operationId",
        "operationId: is required where extraData is empty",
      ],
    ]);
    const operationId = await newOperation();
    expect((await finish({ extraData: "", operationId })).status).toBe(200);
  });

  it("names each wrong field", async () => {
    const { status, body } = await finish({ family: "Other", status: "EXPIRED", reason: "TIRED" });
    expect([status, body.errors.map((text: string) => text.split(":")[0])]).toEqual([
      400,
      ["family", "status", "reason"],
    ]);
  });
});

describe("the customer of an operation", () => {
  /** A call of a module that names the person, as users and documents do. */
  const record = async (operationId: string, customer: string): Promise<void> => {
    const caller = { tenantId, environment: "test", keyId: "key" } as const;
    const of = { caller, transactionId: randomUUID(), receivedAt: harness.now(), tracking: { operationId } };
    const entry = { endpoint: "authenticateUser", result: null, measurements: null, policyVersion: "" };
    await harness.recordCall(of, { ...entry, operationDetails: { customer } });
  };

  it("stands in the first and the last event, finds the operation, and is sealed at rest", async () => {
    const [id, other] = [await newOperation(), randomUUID()];
    const name = "a person with a name of more than thirty-six characters";
    await record(other, ` ${name} `);
    await record(other, "a second name");
    await finish({ operationId: other, status: "DENIED", reason: "FACIAL_LIVENESS_NOT_PASSED" });
    const { customerId, events } = (await show(other)).body;
    expect(customerId).toMatch(/^[0-9a-f-]{14}8[0-9a-f-]{21}$/u);
    expect(events.map(({ data }: { data: unknown }) => data)).toEqual([
      { customerId },
      { status: "DENIED", context: { customerId } },
    ]);
    const found = async (customer: string) => {
      const { body } = await call("GET", `/operator/operations?customer=${encodeURIComponent(customer)}`);
      return body.operations.map(({ operationId }: { operationId: string }) => operationId);
    };
    expect([await found(name), await found(customerId), await found("a second name")]).toEqual([
      [other],
      [other],
      [],
    ]);
    expect((await show(id)).body.customerId).toBe(id);
    const rows = JSON.stringify(
      ["operations", "events", "operation_steps"].map((table) => harness.query(`select * from ${table}`)),
    );
    expect(rows).not.toContain(customerId);
  });
});

describe("the operator's list", () => {
  it("holds the operations of the key's tenant and environment, by state and time, in pages", async () => {
    const [first, second] = [await newOperation(), await newOperation()];
    await finish({ operationId: first, status: "ERROR", reason: "SECURITY_SERVICE_ERROR" });
    const ids = async (query: string, caller = call): Promise<readonly string[]> => {
      const { status, body } = await caller("GET", `/operator/operations${query}`);
      expect(status, body.errors).toBe(200);
      return body.operations.map(({ operationId }: { operationId: string }) => operationId);
    };
    expect(await ids("")).toEqual([second, first]);
    expect(await ids("?state=ERROR")).toEqual([first]);
    expect(await ids("?state=open")).toEqual([second]);
    expect(await ids("?from=2020-01-01")).toEqual([second, first]);
    expect(await ids("?to=2020-01-01T00:00:00Z")).toEqual([]);
    expect(await ids("?customer=unknown")).toEqual([]);
    expect(await ids("", makeCaller(harness, tenantId, "live"))).toEqual([]);
    expect(await ids("", makeCaller(harness, await harness.newTenant()))).toEqual([]);
  });

  it.each(["?from=yesterday", "?to=2026-13-01", "?after=a", "?state=ENDED"])(
    "refuses %s and names the field",
    async (query) => {
      const { status, body } = await call("GET", `/operator/operations${query}`);
      expect(status).toBe(400);
      expect(body.errors[0]).toMatch(new RegExp(`^${query.slice(1).split("=")[0]}: `, "u"));
    },
  );

  it("ends an operation by hand, once", async () => {
    const id = await newOperation();
    const end = (status: string, caller = call) =>
      caller("POST", `/operator/operations/${id}/end`, { status });
    const { status, body } = await end("BLACKLISTED");
    expect([status, body]).toMatchObject([200, { operationId: id, state: "BLACKLISTED" }]);
    expect((await end("BLACKLISTED")).body.transactionId).toBe(body.transactionId);
    expect((await end("SUCCEEDED")).status).toBe(409);
    expect((await show(id)).body).toMatchObject({ state: "BLACKLISTED", reason: "MANUAL_STATUS_CHANGE" });
  });

  it.each(["caso 1", "año/ñ", "{0f8fad5b-d9cb}", "-x"])(
    "finds an operation by the operationId of its calls, which events hold as a hash: %s",
    async (name) => {
      expect((await evaluate({ operationId: name })).status).toBe(200);
      const at = `/operator/operations/${encodeURIComponent(name)}`;
      const { status, body } = await call("GET", at);
      expect([status, body.steps.length]).toEqual([200, 1]);
      const { operationId, assets } = body;
      expect(operationId).toMatch(/^[0-9a-f]{64}$/u);
      expect((await show(operationId)).body.steps).toEqual(body.steps);
      expect((await call("POST", `${at}/assets/${assets[0].id}/revoke`, {})).body.operationId).toBe(
        operationId,
      );
      expect((await call("POST", `${at}/end`, { status: "DENIED" })).body).toMatchObject({ operationId });
      expect((await makeCaller(harness, tenantId, "live")("GET", at)).status).toBe(404);
    },
  );

  it("has no operation or image of another tenant or environment: the answers are equal to the byte", async () => {
    const id = await newOperation();
    const asset = (await show(id)).body.assets[0].id;
    const requests = [
      ["GET", (of: string) => `/operator/operations/${of}`, undefined],
      ["POST", (of: string) => `/operator/operations/${of}/end`, { status: "ERROR" }],
      ["POST", (of: string) => `/operator/operations/${of}/assets/${asset}/revoke`, {}],
    ] as const;
    for (const [method, url, payload] of requests) {
      const missing = await call(method, url(randomUUID()), payload);
      expect(missing.status).toBe(404);
      const others = [makeCaller(harness, await harness.newTenant()), makeCaller(harness, tenantId, "live")];
      for (const other of others) expect(await other(method, url(id), payload)).toEqual(missing);
    }
    expect((await show(id)).body).toMatchObject({ state: "open", assets: [{ revokedAt: null }] });
  });
});

describe("a link to an image", () => {
  const get = (url: string, method: "GET" | "HEAD" = "GET") =>
    harness.server.app.inject({ method, url: url.replace("https://idem.example", "") });

  const newLink = async () => {
    const id = await newOperation();
    const [asset] = (await show(id)).body.assets;
    expect(asset).toMatchObject({ type: "selfie", revokedAt: null });
    return { id, asset: String(asset.id), url: String(asset.url) };
  };

  it("serves the image as it was sent, without a key, and its use is in the evidence", async () => {
    const { id, asset, url } = await newLink();
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(Buffer.from(selfie).equals(answer.rawPayload)).toBe(true);
    expect(answer.headers).toMatchObject({
      "content-type": "image/jpeg",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    });
    expect(evidence()).toEqual([{ kind: "asset_read", asset, type: "selfie", operation: id }]);
    expect(harness.lines.join("\n")).not.toContain(url.split("signature=")[1]);
  });

  it("that is unknown, forged, expired, revoked or of a removed image gets one answer, and is no use", async () => {
    const { id, asset, url } = await newLink();
    const unknown = await get(url.replace(asset, randomUUID()));
    expect(unknown.statusCode).toBe(404);
    const refused = async (link: string): Promise<void> => {
      const answer = await get(link);
      expect([answer.statusCode, answer.body, answer.headers["content-type"]]).toEqual([
        404,
        unknown.body,
        unknown.headers["content-type"],
      ]);
    };
    const { asset: other } = await newLink();
    const later = url.replace(/expires=(\d+)/u, (_, expires) => `expires=${Number(expires) + 1}`);
    const flipped = url.replace(/.$/u, (last) => (last === "0" ? "1" : "0"));
    for (const link of [
      url.replace(asset, other),
      later,
      flipped,
      url.replace(/signature=.*/u, "signature="),
      url.replace(/\?.*/u, ""),
      `${url}&signature=${"0".repeat(64)}`,
      url.replace(/expires=\d+/u, "expires=1e12"),
      "/assets/a",
      "/assets/__proto__?expires=1&signature=1",
    ])
      await refused(link);
    harness.clock.aheadMs = 901_000;
    await refused(url);
    harness.clock.aheadMs = 0;
    expect((await get(url)).statusCode).toBe(200);
    await call("POST", `/operator/operations/${id}/assets/${asset}/revoke`);
    await refused(url);
    expect((await show(id)).body.assets[0]).toMatchObject({ url: null, revokedAt: expect.any(String) });
    expect(evidence().map(({ kind }) => kind)).toEqual(["asset_read", "asset_revoked"]);
  });

  it("takes GET alone", async () => {
    const { url } = await newLink();
    const { statusCode, headers } = await get(url, "HEAD");
    expect([statusCode, headers["allow"]]).toEqual([405, "GET, OPTIONS"]);
    expect(evidence()).toEqual([]);
  });

  it("ends with an erasure, which leaves no row of the operation", async () => {
    const { url } = await newLink();
    await harness.erase(tenantId);
    expect((await get(url)).statusCode).toBe(404);
    for (const table of ["operations", "operation_steps", "events", "assets"])
      expect(harness.query(`select * from ${table} where tenant_id = '${tenantId}'`), table).toEqual([]);
  });

  it("ends with the retention of images, whose objects the sweep removes", async () => {
    const { id, asset, url } = await newLink();
    const objectOf = () => harness.query(`select blob_id from assets where id = '${asset}'`)[0]?.["blob_id"];
    const name = { tenantId, id: String(objectOf()) };
    const tidy = async (): Promise<void> => {
      const { signal } = new AbortController();
      for (const purge of harness.purges) await purge(signal);
      await sweepBlobs(harness.objects, harness.store, new Date(Date.now() + 60_000));
    };
    await tidy();
    expect(await harness.objects.read(name)).toBeDefined();
    harness.clock.aheadMs = 31 * 86_400_000;
    await tidy();
    expect(await harness.objects.read(name)).toBeUndefined();
    harness.clock.aheadMs = 0;
    expect((await get(url)).statusCode).toBe(404);
    expect((await show(id)).body.assets).toEqual([]);
  });
});

describe("an operation without a further call", () => {
  it("expires within a round, with its event and its reason, and the job stops", async () => {
    const id = await newOperation();
    await evaluate({ extraData: "a token alone" });
    harness.clock.aheadMs = 86_400_000 + 1000;
    const [job] = harness.module.jobs ?? [];
    job?.start();
    const expired = async () => (await call("GET", "/operator/operations?state=EXPIRED")).body.operations;
    await expect.poll(async () => (await expired()).length, { timeout: 20_000 }).toBe(2);
    await job?.stop();
    const { body } = await show(id);
    expect(body).toMatchObject({ reason: "NO_FURTHER_CALL", endedAt: expect.any(String) });
    expect(body.events.at(-1)).toMatchObject({ name: "operation_finished", data: { status: "EXPIRED" } });
    const before = await expired();
    expect((await evaluate({ extraData: "a token alone" })).status).toBe(200);
    expect(await expired()).toEqual(before);
    expect((await call("GET", "/operator/operations?state=open")).body.operations).toEqual([]);
    expect(harness.reports).toEqual([]);
    const ended = harness.module.gauges?.flatMap(({ read }) => read()) ?? [];
    expect(ended.find(({ labels }) => labels?.["state"] === "EXPIRED")?.value).toBeGreaterThan(0);
  });
});

describe("without retention of images", () => {
  it("an operation keeps none, and its events link to none", async () => {
    const bare = await openOperationHarness({ imagesKeptMs: 0 });
    const tenant = await bare.newTenant();
    const caller = makeCaller(bare, tenant);
    const operationId = randomUUID();
    await caller("POST", "/services/evaluatePassiveLiveness", { imageBuffer, tracking: { operationId } });
    expect((await caller("GET", `/operator/operations/${operationId}`)).body.assets).toEqual([]);
    expect(bare.query("select * from blobs")).toEqual([]);
    await bare.close();
  });
});

describe("the record of a transaction", () => {
  const showRecord = (id: string, caller = call) => caller("GET", `/operator/transactions/${id}`);

  it("has the result, the box of the face, its quality, its cues, the policy and the networks", async () => {
    const id = await newOperation();
    const { transactionId } = (await show(id)).body.steps[0];
    const { status, body } = await showRecord(transactionId);
    expect([status, body]).toMatchObject([
      200,
      {
        transactionId,
        endpoint: "evaluatePassiveLiveness",
        environment: "test",
        result: { liveness: 3 },
        measurements: {
          picture: { kind: "measured", face: { box: { width: expect.any(Number) }, quality: {} } },
          liveness: { result: "Live", cues: {} },
        },
        policyVersion: expect.any(String),
        models: { facemesh: expect.stringMatching(/^[0-9a-f]{64}$/u) },
      },
    ]);
    const text = JSON.stringify(body);
    for (const left of ["template", "fingerprint", "tokenHashes", tenantId]) expect(text).not.toContain(left);
  });

  it("is shown within the tenant and environment of the key: else the answers are equal to the byte", async () => {
    const id = await newOperation();
    const { transactionId } = (await show(id)).body.steps[0];
    const missing = await showRecord(randomUUID());
    expect([missing.status, missing.body.failure]).toEqual([404, "not_found"]);
    const others = [makeCaller(harness, await harness.newTenant()), makeCaller(harness, tenantId, "live")];
    for (const other of others) expect(await showRecord(transactionId, other)).toEqual(missing);
  });
});
