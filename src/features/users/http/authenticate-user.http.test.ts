import { describe, expect, it } from "vitest";
import { unitVector } from "#judging/face/engine/recognition";
import { normaliseTemplate, scaleOfCohort } from "#judging/face/matching/cohort";
import { compare } from "#judging/face/matching/comparison";
import { mapTemplate, unpackPair, unpackTemplate } from "#judging/face/matching/template";
import { defaultFacePolicy, withoutLicence, withScale } from "#judging/face/policy";
import { drawImage } from "#support/face/drawn-images";
import { imageOf, readCohort } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { claiming, impostor, makeCaller, portrait, selfies, useUserHarness } from "#support/users/harness";
import { defaultUserPolicy } from "../policy.ts";

const at = useUserHarness(recordedFaceEngine);

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

/** A caller of a service over the real networks: one good case of each version goes through them. */
const throughNetworks = () =>
  makeCaller(at.harness, at.harness.serve({ face: at.harness.faceOfNetworks() }), at.tenantId);

/** The authentication hash of an answered call, made again from what the store holds. */
const storedHash = async ({ body }: { readonly body: Readonly<Record<string, unknown>> }) => {
  const record = await at.harness.store.findTransaction(at.tenantId, String(body["transactionId"]));
  return record && (await at.harness.service.hashAuthentication(record));
};

describe("POST /services/authenticateUser", () => {
  it("enrols a user with a registry's image and returns the template for later calls", async () => {
    const answer = await throughNetworks().authenticate(
      { userId: "ana", image: base64(imageOf(portrait)), bestImageToken: await at.harness.live(selfies[0]) },
      "",
    );
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toStrictEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "User authenticated successfully",
      serviceFacialSimilarityResult: expect.any(Number),
      fmrAtScore: expect.any(Number),
      merchantReferenceId: "login-1",
      facialAuthenticationHash: await storedHash(answer),
      registeredTemplateRaw: expect.any(String),
    });
    expect(at.harness.evidenceOf(at.tenantId)).toMatchObject([
      { kind: "person_enrolled", body: { transaction: answer.body["transactionId"] } },
    ]);
  });

  it("compares later calls with the registered template, in both versions", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const first = await at.caller.authenticate(
      { userId: "ana", registeredTemplateRaw, bestImageToken: await at.harness.live(selfies[1]) },
      "",
    );
    expect(first.body).toMatchObject({
      serviceResultCode: 0,
      facialAuthenticationHash: await storedHash(first),
    });
    expect(first.body).not.toHaveProperty("registeredTemplateRaw");
    const second = await throughNetworks().authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.harness.live(selfies[2]),
    });
    expect(second.body).toMatchObject({
      serviceResultCode: 0,
      serviceFacialAuthenticationResult: 3,
      serviceFacialAuthenticationLog: "Positive",
      serviceLivenessResult: 3,
      serviceLivenessLog: "Live",
      outcome: "approved",
      facialAuthenticationHash: await storedHash(second),
    });
    expect(at.harness.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it.each([
    ["a face image", () => at.harness.seal("face-image", imageOf(portrait)), true],
    ["a template", () => at.harness.token(portrait), false],
  ] as const)("enrols a user with %s in the template field", async (_, seal, gives) => {
    const answer = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await seal(),
      bestImageToken: await at.harness.live(selfies[0]),
    });
    expect(answer.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    expect("registeredTemplateRaw" in answer.body).toBe(gives);
    expect(at.harness.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it("refuses a best image below the operator's level, and leaves it unused", async () => {
    const levelMin = { liveness: "passive", identity: "passive", authenticateUser: "active-turn" } as const;
    const server = at.harness.serve({ face: at.harness.faceUnder(defaultFacePolicy, levelMin) });
    const strict = makeCaller(at.harness, server, at.tenantId);
    const request = {
      userId: "ana",
      image: base64(imageOf(portrait)),
      bestImageToken: await at.harness.live(selfies[0]),
    };
    for (const version of ["", "/v2"] as const) {
      expect(await strict.authenticate(request, version)).toMatchObject({
        status: 409,
        body: { failure: "liveness_level_too_low", facts: { levelMin: "active-turn", level: "none" } },
      });
    }
    expect(at.harness.peopleOf(at.tenantId)).toEqual([]);
    expect((await at.caller.authenticate(request)).body).toMatchObject({ outcome: "approved" });
  });

  it("answers -100 if the reference is not the user's, and leaves the best image unused", async () => {
    await at.caller.enrol("ana");
    const bestImageToken = await at.harness.live(selfies[1]);
    const foreign = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await at.harness.token(impostor),
      bestImageToken,
    });
    expect(foreign.body).not.toHaveProperty("facialAuthenticationHash");
    expect(foreign).toMatchObject({
      status: 200,
      body: {
        serviceResultCode: -100,
        serviceResultLog: "registeredTemplateRaw does not match the user identifier",
        serviceFacialSimilarityResult: 0,
        serviceFacialAuthenticationResult: 0,
        serviceLivenessResult: 0,
        outcome: "rejected",
      },
    });
    const image = base64(imageOf(impostor));
    const imageFile = await at.caller.authenticate({ userId: "ana", image, bestImageToken });
    expect(imageFile.body).toMatchObject({ serviceResultCode: -100, outcome: "rejected" });
    const record = await at.harness.store.findTransaction(
      at.tenantId,
      String(imageFile.body["transactionId"]),
    );
    expect(record).toMatchObject({ result: { code: -100, facial: 0, liveness: 0 }, tokenHashes: [] });
    const garbage = await at.harness.seal("template", new Uint8Array(50));
    const unread = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: garbage,
      bestImageToken,
    });
    expect(unread.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
    const good = await at.caller.authenticate({
      userId: "ana",
      image: base64(imageOf(portrait)),
      bestImageToken,
    });
    expect(good.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
  });

  it("answers -101 to a recapture and to the registered image itself, and enrols no user", async () => {
    const image = base64(imageOf(portrait));
    const shown = await drawImage(at.harness.engine, "a face on a telephone");
    const screen = await at.harness.seal("best-image", shown);
    const attack = await at.caller.authenticate({ userId: "ana", image, bestImageToken: screen });
    expect(attack).toMatchObject({
      status: 200,
      body: {
        serviceResultCode: -101,
        serviceResultLog: "bestImageToken does not match a living person",
        serviceLivenessResult: 17,
        outcome: "rejected",
      },
    });
    const copy = await at.caller.authenticate({
      userId: "ana",
      image,
      bestImageToken: await at.harness.live(portrait),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
    expect(at.harness.peopleOf(at.tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const again = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.harness.live(portrait),
    });
    expect(again.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
  });

  it("leaves the best image unused if liveness was not judged, at the first call and later", async () => {
    const image = base64(imageOf(portrait));
    const face = at.harness.faceUnder(withoutLicence(defaultFacePolicy));
    const unlicensed = makeCaller(at.harness, at.harness.serve({ face }), at.tenantId);
    for (const selfie of [selfies[0], selfies[1]]) {
      const call = { userId: "ana", image, bestImageToken: await at.harness.live(selfie) };
      expect((await unlicensed.authenticate(call)).body).toMatchObject({
        serviceResultCode: -101,
        serviceLivenessLog: "NoneBecauseLicenseError",
      });
      expect((await at.caller.authenticate(call)).body).toMatchObject({ serviceResultCode: 0 });
    }
  });

  it("answers -102 to an impostor, at the first call and later", async () => {
    const image = base64(imageOf(portrait));
    const first = await at.caller.authenticate({
      userId: "ana",
      image,
      bestImageToken: await at.harness.live(impostor),
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        serviceResultCode: -102,
        serviceResultLog: "Authentication failed, templates do not match",
        serviceFacialAuthenticationResult: 1,
        outcome: "rejected",
      },
    });
    expect(at.harness.peopleOf(at.tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const bestImageToken = await at.harness.live(impostor);
    const later = await at.caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(later.body).toMatchObject({ serviceResultCode: -102, serviceLivenessResult: 3 });
    expect(Number(later.body["serviceFacialSimilarityResult"])).toBeLessThan(0.5);
  });

  it("asks for a better image if no face is usable, and counts no failure", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const blank = await drawImage(at.harness.engine, "a grey wall");
    const bestImageToken = await at.harness.seal("best-image", blank);
    const answer = await at.caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(answer.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialSimilarityResult: 0,
      serviceFacialAuthenticationLog: "NoneBecauseInvalidExtractions",
      serviceLivenessLog: "NoneBecauseFaceNotFound",
      outcome: "retry",
    });
    expect(at.harness.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0 });
  });

  it("reports no comparison if the reference image shows no face, in the answer and in the record", async () => {
    const blank = await drawImage(at.harness.engine, "a grey wall");
    const attempt = async () => {
      const bestImageToken = await at.harness.live(selfies[1]);
      const { body } = await at.caller.authenticate({ userId: "ana", image: base64(blank), bestImageToken });
      const record = await at.harness.store.findTransaction(at.tenantId, String(body["transactionId"]));
      return { body, measurements: record?.measurements };
    };
    const noScore = { score: null, similarity: null, falseMatchRate: null };
    const nothing = { serviceFacialSimilarityResult: 0, fmrAtScore: null, outcome: "retry" };
    expect(await attempt()).toMatchObject({
      body: {
        ...nothing,
        serviceResultCode: -102,
        serviceFacialAuthenticationLog: "NoneBecauseInvalidExtractions",
      },
      measurements: {
        reference: null,
        comparison: { ...noScore, result: "NoneBecauseInvalidExtractions" },
      },
    });
    await at.caller.enrol("ana");
    expect(await attempt()).toMatchObject({
      body: { ...nothing, serviceResultCode: -100, serviceFacialAuthenticationLog: "None" },
      measurements: {
        reference: { ...noScore, result: "NoneBecauseInvalidExtractions" },
        comparison: { ...noScore, result: "None" },
      },
    });
    expect(at.harness.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0 });
  });

  it("enrols a user once under many first calls at the same moment", async () => {
    const calls = await Promise.all(
      [...selfies, "franck_02045.jpg"].map(async (name) =>
        at.caller.authenticate({
          userId: "ana",
          image: base64(imageOf(portrait)),
          bestImageToken: await at.harness.live(name),
        }),
      ),
    );
    expect(calls.map(({ body }) => body["serviceResultCode"])).toEqual([0, 0, 0, 0]);
    expect(at.harness.peopleOf(at.tenantId)).toHaveLength(1);
    expect(at.harness.evidenceOf(at.tenantId).map(({ kind }) => kind)).toEqual(["person_enrolled"]);
    expect(at.harness.query(`select id from transactions where tenant_id = '${at.tenantId}'`)).toHaveLength(
      4,
    );
  });

  it("accepts a template in place of the best image only by policy, and never the registered one", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const request = { userId: "ana", registeredTemplateRaw, template: await at.harness.token(selfies[0]) };
    const refused = await at.caller.authenticate(request);
    expect(refused.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialAuthenticationResult: 3,
      serviceLivenessResult: 0,
      outcome: "retry",
    });
    const policy = { ...defaultUserPolicy, templateWithoutImage: "accepted" as const };
    const trusting = makeCaller(at.harness, at.harness.serve({ policy }), at.tenantId);
    expect((await trusting.authenticate(request)).body).toMatchObject({
      serviceResultCode: 0,
      serviceLivenessLog: "None",
      outcome: "approved",
    });
    const itself = await trusting.authenticate({ ...request, template: registeredTemplateRaw });
    expect(itself.body).toMatchObject({ serviceResultCode: -101 });
    const other = await trusting.authenticate({ ...request, template: await at.harness.token(impostor) });
    expect(other.body).toMatchObject({ serviceResultCode: -102, outcome: "rejected" });
  });

  it("ignores the cohort score of a sent template if a trusted one exists", async () => {
    const { harness, tenantId } = at;
    const registered = claiming(await harness.templateOf(portrait), 4.2);
    await harness.register(tenantId, "ana", registered);
    const policy = { ...defaultUserPolicy, templateWithoutImage: "accepted" as const };
    const trusting = makeCaller(harness, harness.serve({ policy }), tenantId);
    const own = await harness.seal("template", registered);
    const modest = await harness.seal("template", claiming(await harness.templateOf(selfies[2]), 0));
    const probe = { userId: "ana", registeredTemplateRaw: own, template: modest };
    expect((await trusting.authenticate(probe)).body).toMatchObject({ serviceResultCode: -102 });
    const reference = {
      userId: "ana",
      registeredTemplateRaw: modest,
      bestImageToken: await harness.live(selfies[0]),
    };
    expect((await trusting.authenticate(reference)).body).toMatchObject({ serviceResultCode: -100 });
  });

  it("takes the cohort score from the best image at a first call, not from the sent template", async () => {
    const { harness } = at;
    const { face } = harness.service;
    const [seen, other] = [await harness.templateOf(selfies[2]), await harness.templateOf(impostor)];
    const side = (template: Uint8Array) => ({ kind: "template" as const, template });
    // A face between the user and an impostor. It would still match if its own claim counted.
    const vectors = unpackPair(other)!;
    const between = (share: number, cohortScore: (value: number) => number): Uint8Array =>
      mapTemplate(seen, {
        vector: (vector) => {
          const far = vector.length === 128 ? vectors.dlib : vectors.faceres;
          return unitVector(vector.map((value, i) => (1 - share) * value + share * far[i]!));
        },
        cohortScore,
      })!;
    const resultOf = (one: Uint8Array) => face.compare(side(one), side(seen)).result;
    const shares = Array.from({ length: 400 }, (_, n) => n / 400);
    const share = shares.findLast((one) => resultOf(between(one, (value) => value)) === "Positive")!;
    const overclaiming = between(share, () => 6);
    expect(resultOf(overclaiming)).toBe("Negative");
    const { body } = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await harness.seal("template", overclaiming),
      bestImageToken: await harness.live(selfies[2]),
    });
    expect(body).toMatchObject({ serviceResultCode: 0 });
    expect(harness.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it("recognises a user under a cohort added after the enrolment, by that cohort's score of both faces", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const cohort = readCohort();
    const scale = scaleOfCohort({
      ...cohort,
      faces: cohort.faces.slice(0, 300),
      points: [
        { falseMatchRate: 1e-1, value: 1.9 },
        { falseMatchRate: 1e-2, value: 2.5 },
      ],
    });
    const server = at.harness.serve({ face: at.harness.faceUnder(withScale(defaultFacePolicy, scale)) });
    const beside = makeCaller(at.harness, server, at.tenantId);
    const { body } = await beside.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.harness.live(selfies[1]),
    });
    expect(body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    const [ours, theirs] = await Promise.all([portrait, selfies[1]].map(at.harness.templateOf));
    const [a, b] = [ours, theirs].map((bytes) => normaliseTemplate(scale, unpackTemplate(bytes!)!));
    const record = await at.harness.store.findTransaction(at.tenantId, String(body["transactionId"]));
    expect(record?.policyVersion).toContain(`+cohort/${cohort.hash.slice(0, 8)}`);
    const { score } = compare(a!, b!, scale)!;
    expect(record?.measurements).toMatchObject({ comparison: { score: expect.closeTo(score, 3) } });
    const other = await beside.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.harness.live(impostor),
    });
    expect(other.body).toMatchObject({ serviceFacialAuthenticationLog: "Negative" });
  });

  it("separates live and test users and the users of other tenants", async () => {
    await at.caller.enrol("ana");
    const others = [
      makeCaller(at.harness, at.server, at.tenantId, "live"),
      makeCaller(at.harness, at.server, await at.harness.newTenant()),
    ];
    for (const other of others) {
      expect((await other.remove("ana")).body).toMatchObject({ notFoundUserIds: ["ana"] });
      await other.enrol("ana");
    }
    expect(new Set(at.harness.peopleOf(at.tenantId).map(({ environment }) => environment))).toEqual(
      new Set(["live", "test"]),
    );
  });
});
