import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AssuranceLevel } from "#contract/liveness";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { anImage } from "#support/clearing/fill-store";
import { type ClearingHarness, openClearingHarness } from "#support/clearing/harness";

let harness: ClearingHarness;
beforeAll(async () => {
  harness = await openClearingHarness();
});
afterAll(() => harness.close());

const evidenceOf = async (tenantId: string) => await harness.store.listLinks(tenantId, 0);

describe("POST /services/clearing/{serviceTransactionId}/verify", () => {
  it("issues a token of 32 letters for an equal image, with record and evidence, under both names", async () => {
    const image = anImage();
    const transaction = await harness.identify({ reference: image });
    const scan = await harness.validate({ images: [image, anImage()] });
    const { verify } = harness.callerOf();
    const tokens = [];
    for (const name of ["clearing", "previred"]) {
      const { status, body } = await verify(transaction, scan, name);
      expect(status).toBe(200);
      expect(body).toEqual({
        token: expect.stringMatching(/^[A-Za-z]{32}$/),
        expiresAt: expect.stringMatching(/Z$/),
        certificateUrl: `https://idem.example/services/clearing/${transaction}/certificate?token=${body.token}`,
      });
      tokens.push(body.token);
    }
    expect(new Set(tokens).size).toBe(2);
    const kinds = (await evidenceOf(harness.tenantId)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "clearing_token_issued")).toHaveLength(2);
    const records = await harness.store.listTransactions(harness.tenantId, new Date(0));
    const issued = records.filter(({ endpoint }) => endpoint === "verifyClearing");
    expect(issued).toHaveLength(2);
    expect(issued[0]?.result).toMatchObject({
      identity: transaction,
      scanReference: scan,
      samePersonBy: "image",
      assurance: "interface",
      portraitEvidence: null,
    });
    expect(issued[0]?.policyVersion).toBe("clearing-2+interface");
    for (const token of tokens) expect(JSON.stringify(records)).not.toContain(token);
  });

  it("takes a transaction in upper case", async () => {
    const image = anImage();
    const transaction = await harness.identify({ reference: image });
    const scan = await harness.validate({ images: [image] });
    const { status } = await harness.callerOf().verify(transaction.toUpperCase(), scan);
    expect(status).toBe(200);
  });

  it("accepts both calls of one operation", async () => {
    const [image, operation] = [anImage(), randomUUID()];
    const transaction = await harness.identify({ reference: image, operation });
    const scan = await harness.validate({ images: [image], operation });
    expect((await harness.callerOf().verify(transaction, scan)).status).toBe(200);
  });

  const image = anImage();
  type Pair = readonly [transaction: string, scan: string];
  type Case = readonly [string, number, string, object, () => Promise<Pair>];
  const undecided = (status: "Submitted" | "Declined" | "Resubmission" | "Review", code: number): Case => [
    `a document that is ${status}`,
    422,
    "clearing_not_approved",
    { verificationCode: code },
    async () => [
      await harness.identify({ reference: image }),
      await harness.validate({ images: [image], status }),
    ],
  ];
  const cases: readonly Case[] = [
    ["an unknown transaction", 404, "not_found", {}, async () => [randomUUID(), await harness.validate()]],
    ["a transaction that is no reference", 404, "not_found", {}, async () => ["x", await harness.validate()]],
    ["an unknown validation", 404, "not_found", {}, async () => [await harness.identify(), randomUUID()]],
    [
      "a transaction of another tenant",
      404,
      "not_found",
      {},
      async () => [
        await harness.identify({ reference: image, tenantId: await harness.newTenant() }),
        await harness.validate({ images: [image] }),
      ],
    ],
    [
      "a transaction of the other environment",
      404,
      "not_found",
      {},
      async () => [
        await harness.identify({ reference: image, environment: "live" }),
        await harness.validate({ images: [image] }),
      ],
    ],
    [
      "a validation of another tenant",
      404,
      "not_found",
      {},
      async () => [
        await harness.identify({ reference: image }),
        await harness.validate({ images: [image], tenantId: await harness.newTenant() }),
      ],
    ],
    [
      "a transaction of another call",
      422,
      "clearing_not_identity",
      { endpoint: "authenticateFacial" },
      async () => [
        await harness.identify({ reference: image, endpoint: "authenticateFacial" }),
        await harness.validate({ images: [image] }),
      ],
    ],
    [
      "faces that differ",
      422,
      "clearing_face_not_positive",
      { facialAuthenticationResult: 1 },
      async () => [
        await harness.identify({ reference: image, result: { facial: 1, liveness: 3 } }),
        await harness.validate({ images: [image] }),
      ],
    ],
    [
      "no living person",
      422,
      "clearing_not_live",
      { passiveLivenessResult: 17 },
      async () => [
        await harness.identify({ reference: image, result: { facial: 3, liveness: 17 } }),
        await harness.validate({ images: [image] }),
      ],
    ],
    undecided("Submitted", 7002),
    undecided("Declined", 9102),
    undecided("Resubmission", 9103),
    undecided("Review", 9121),
    [
      "calls of two operations",
      422,
      "clearing_other_operation",
      { reason: "they name two operations" },
      async () => [
        await harness.identify({ reference: image, operation: randomUUID() }),
        await harness.validate({ images: [image], operation: randomUUID() }),
      ],
    ],
    [
      "an operation of the transaction alone",
      422,
      "clearing_other_operation",
      { reason: "only the transaction names an operation" },
      async () => [
        await harness.identify({ reference: image, operation: randomUUID() }),
        await harness.validate({ images: [image] }),
      ],
    ],
    [
      "an operation of the document alone",
      422,
      "clearing_other_operation",
      { reason: "only the document validation names an operation" },
      async () => [
        await harness.identify({ reference: image }),
        await harness.validate({ images: [image], operation: randomUUID() }),
      ],
    ],
    [
      "a back that is equal beside another front",
      422,
      "clearing_person_unproven",
      { reason: "no operation keeps a selfie of the transaction" },
      async () => [
        await harness.identify({ reference: image }),
        await harness.validate({ images: [anImage(), image] }),
      ],
    ],
    [
      "different images without an operation",
      422,
      "clearing_person_unproven",
      { reason: "no operation keeps a selfie of the transaction" },
      async () => [await harness.identify({ reference: image }), await harness.validate()],
    ],
    [
      "different images of an operation without a selfie",
      422,
      "clearing_person_unproven",
      { reason: "the operation keeps no selfie of the transaction" },
      async () => {
        const operation = randomUUID();
        return [await harness.identify({ operation }), await harness.validate({ operation })];
      },
    ],
    [
      "a document whose images are not kept",
      422,
      "clearing_person_unproven",
      { reason: "the images of the document are not kept" },
      async () => {
        const operation = randomUUID();
        return [
          await harness.identify({ operation, selfie: anImage() }),
          await harness.validate({ operation, images: [] }),
        ];
      },
    ],
  ];

  it.each(cases)("refuses %s with %i %s", async (_, status, failure, facts, make) => {
    const { verify } = harness.callerOf();
    const [transaction, scan] = await make();
    const answer = await verify(transaction, scan);
    expect(answer).toMatchObject({ status, body: { failure } });
    expect(answer.body.facts ?? {}).toEqual(facts);
  });

  it("stores nothing for a refused call", async () => {
    const before = (await evidenceOf(harness.tenantId)).length;
    const { verify } = harness.callerOf();
    await verify(await harness.identify(), await harness.validate());
    expect((await evidenceOf(harness.tenantId)).length).toBe(before);
  });

  it("needs a body with the reference, and a key with the scope", async () => {
    const transaction = await harness.identify();
    const url = `/services/clearing/${transaction}/verify`;
    const { key } = harness.callerOf();
    const ask = async (headers: Readonly<Record<string, string>>, payload: string) =>
      await harness.server.app.inject({
        method: "POST",
        url,
        headers: { "content-type": "application/json", ...headers },
        payload,
      });
    const missing = await ask({ "x-api-key": key }, "{}");
    expect([missing.statusCode, missing.json().code]).toEqual([400, 1102]);
    expect((await ask({}, "{}")).statusCode).toBe(401);
    const inQuery = await harness.server.app.inject({
      method: "POST",
      url: `${url}?apiKey=${key}`,
      payload: {},
    });
    expect(inQuery.statusCode).toBe(401);
  });
});

describe("a verification token under IDEM_CLEARING_ASSURANCE=strict", () => {
  let strict: ClearingHarness;
  beforeAll(async () => {
    strict = await openClearingHarness({ settings: { assurance: "strict" } });
  });
  afterAll(() => strict.close());

  const verify = async (
    level: AssuranceLevel | undefined,
    portraitEvidence: PortraitEvidence | undefined,
    at: ClearingHarness = strict,
    tenantId: string = at.tenantId,
  ) => {
    const image = anImage();
    const transaction = await at.identify({ tenantId, reference: image, ...(level && { level }) });
    const scan = await at.validate({
      tenantId,
      images: [image],
      ...(portraitEvidence && { portraitEvidence }),
    });
    return await at.callerOf({ tenantId }).verify(transaction, scan);
  };

  it("is issued for a turned head, a counted rate and evidence of the portrait", async () => {
    expect((await verify("active-turn", "print-consistent")).status).toBe(200);
    expect((await verify("active-turn", "ghost")).status).toBe(200);
  });

  it("is recorded with its assurance and the evidence of the portrait, also as evidence", async () => {
    const tenantId = await strict.newTenant();
    await verify("active-turn", "ghost", strict, tenantId);
    const records = await strict.store.listTransactions(tenantId, new Date(0));
    const issued = records.find(({ endpoint }) => endpoint === "verifyClearing");
    expect(issued?.policyVersion).toBe("clearing-2+strict");
    const stated = { assurance: "strict", portraitEvidence: "ghost" };
    expect(issued?.result).toMatchObject(stated);
    const links = await strict.store.listLinks(tenantId, 0);
    const { body } = links.find(({ kind }) => kind === "clearing_token_issued") ?? {};
    expect(JSON.parse(body?.text ?? "{}")).toMatchObject(stated);
  });

  it.each([
    ["active-turn", "unproven", "the evidence of the portrait is unproven"],
    ["active-turn", undefined, "the evidence of the portrait is unproven"],
    ["model", "ghost", "the level of liveness is model"],
    [undefined, "ghost", "the level of liveness is none"],
  ] as const)("is refused at the level %s with a portrait that is %s", async (level, evidence, missing) => {
    const { status, body } = await verify(level, evidence);
    expect(status).toBe(422);
    expect(body.type).toMatch(/clearing_assurance_too_low$/);
    expect(body.facts.missing).toContain(missing);
    // The interface's own preconditions hold.
    expect((await verify(level, evidence, harness)).status).toBe(200);
  });
});
