import { describe, expect, it } from "vitest";
import { unitVector } from "../../face/engine/recognition.ts";
import { asSeenBy, scaleOfCohort } from "../../face/matching/cohort.ts";
import { compare } from "../../face/matching/comparison.ts";
import { unpackPair, unpackTemplate } from "../../face/matching/template.ts";
import { defaultFacePolicy, withoutLicence, withScale } from "../../face/policy.ts";
import { pictureOf, readCohort, recaptured } from "../../face/testing/pictures.ts";
import { defaultPeoplePolicy } from "../policy.ts";
import {
  claiming,
  makeCaller,
  portrait,
  selfies,
  stranger,
  usePeopleHouse,
} from "../testing/people-house.ts";

const at = usePeopleHouse();

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("POST /services/authenticateUser", () => {
  it("establishes a user by a registry's picture and gives the template for later calls", async () => {
    const answer = await at.caller.authenticate(
      { userId: "ana", image: base64(pictureOf(portrait)), bestImageToken: await at.house.live(selfies[0]) },
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
      registeredTemplateRaw: expect.any(String),
    });
    expect(at.house.evidenceOf(at.tenantId)).toMatchObject([
      { kind: "person_enrolled", body: { transaction: answer.body["transactionId"] } },
    ]);
  });

  it("compares later calls with what was registered, in both versions", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const first = await at.caller.authenticate(
      { userId: "ana", registeredTemplateRaw, bestImageToken: await at.house.live(selfies[1]) },
      "",
    );
    expect(first.body).toMatchObject({ serviceResultCode: 0 });
    expect(first.body).not.toHaveProperty("registeredTemplateRaw");
    const second = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.house.live(selfies[2]),
    });
    expect(second.body).toMatchObject({
      serviceResultCode: 0,
      serviceFacialAuthenticationResult: 3,
      serviceFacialAuthenticationLog: "Positive",
      serviceLivenessResult: 3,
      serviceLivenessLog: "Live",
      outcome: "approved",
    });
    expect(at.house.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it.each([
    ["a face image", () => at.house.seal("face-image", pictureOf(portrait)), true],
    ["a template", () => at.house.token(portrait), false],
  ] as const)("establishes a user by %s in the field of the template", async (_, seal, gives) => {
    const answer = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await seal(),
      bestImageToken: await at.house.live(selfies[0]),
    });
    expect(answer.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    expect("registeredTemplateRaw" in answer.body).toBe(gives);
    expect(at.house.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it("answers -100 where the reference is not the user's, and leaves the best image unused", async () => {
    await at.caller.enrol("ana");
    const bestImageToken = await at.house.live(selfies[1]);
    const foreign = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await at.house.token(stranger),
      bestImageToken,
    });
    expect(foreign).toMatchObject({
      status: 200,
      body: {
        serviceResultCode: -100,
        serviceResultLog: "registeredTemplateRaw does not match the user identifier",
        serviceFacialSimilarityResult: null,
        serviceFacialAuthenticationResult: 0,
        serviceLivenessResult: 0,
        outcome: "rejected",
      },
    });
    const image = base64(pictureOf(stranger));
    const picture = await at.caller.authenticate({ userId: "ana", image, bestImageToken });
    expect(picture.body).toMatchObject({ serviceResultCode: -100, outcome: "rejected" });
    const record = await at.house.store.findTransaction(at.tenantId, String(picture.body["transactionId"]));
    expect(record).toMatchObject({ result: { code: -100, facial: 0, liveness: 0 }, tokenHashes: [] });
    const garbage = await at.house.seal("template", new Uint8Array(50));
    const unread = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: garbage,
      bestImageToken,
    });
    expect(unread.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
    const good = await at.caller.authenticate({
      userId: "ana",
      image: base64(pictureOf(portrait)),
      bestImageToken,
    });
    expect(good.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
  });

  it("answers -101 to a recapture and to the registered picture itself, and establishes nobody so", async () => {
    const image = base64(pictureOf(portrait));
    const screen = await at.house.seal("best-image", await recaptured(at.house.engine, selfies[0]));
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
      bestImageToken: await at.house.live(portrait),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
    expect(at.house.peopleOf(at.tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const again = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.house.live(portrait),
    });
    expect(again.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
  });

  it("leaves the best image unused where no liveness may be judged, at first and later", async () => {
    const image = base64(pictureOf(portrait));
    const face = at.house.faceUnder(withoutLicence(defaultFacePolicy));
    const unlicensed = makeCaller(at.house, at.house.serve({ face }), at.tenantId);
    for (const selfie of [selfies[0], selfies[1]]) {
      const call = { userId: "ana", image, bestImageToken: await at.house.live(selfie) };
      expect((await unlicensed.authenticate(call)).body).toMatchObject({
        serviceResultCode: -101,
        serviceLivenessLog: "NoneBecauseLicenseError",
      });
      expect((await at.caller.authenticate(call)).body).toMatchObject({ serviceResultCode: 0 });
    }
  });

  it("answers -102 to somebody else, at first and later", async () => {
    const image = base64(pictureOf(portrait));
    const first = await at.caller.authenticate({
      userId: "ana",
      image,
      bestImageToken: await at.house.live(stranger),
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
    expect(at.house.peopleOf(at.tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const bestImageToken = await at.house.live(stranger);
    const later = await at.caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(later.body).toMatchObject({ serviceResultCode: -102, serviceLivenessResult: 3 });
    expect(Number(later.body["serviceFacialSimilarityResult"])).toBeLessThan(0.5);
  });

  it("asks for a better picture where no face can be known, and counts that as no failure", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const blank = await at.house.engine.imaging.encodeJpeg(
      { width: 300, height: 300, data: new Uint8Array(270_000).fill(128) },
      90,
    );
    const bestImageToken = await at.house.seal("best-image", blank);
    const answer = await at.caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(answer.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialSimilarityResult: null,
      serviceFacialAuthenticationLog: "NoneBecauseInvalidExtractions",
      serviceLivenessLog: "NoneBecauseFaceNotFound",
      outcome: "retry",
    });
    expect(at.house.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0 });
  });

  it("claims no comparison where the reference picture shows no face, in the answer and in the record", async () => {
    const blank = await at.house.engine.imaging.encodeJpeg(
      { width: 300, height: 300, data: new Uint8Array(270_000).fill(128) },
      90,
    );
    const attempt = async () => {
      const bestImageToken = await at.house.live(selfies[1]);
      const { body } = await at.caller.authenticate({ userId: "ana", image: base64(blank), bestImageToken });
      const record = await at.house.store.findTransaction(at.tenantId, String(body["transactionId"]));
      return { body, measurements: record?.measurements };
    };
    const noScore = { score: null, similarity: null, falseMatchRate: null };
    const nothing = { serviceFacialSimilarityResult: null, fmrAtScore: null, outcome: "retry" };
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
    expect(at.house.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0 });
  });

  it("establishes a user once, however many first calls come at the same moment", async () => {
    const calls = await Promise.all(
      [...selfies, "franck_02045.jpg"].map(async (name) =>
        at.caller.authenticate({
          userId: "ana",
          image: base64(pictureOf(portrait)),
          bestImageToken: await at.house.live(name),
        }),
      ),
    );
    expect(calls.map(({ body }) => body["serviceResultCode"])).toEqual([0, 0, 0, 0]);
    expect(at.house.peopleOf(at.tenantId)).toHaveLength(1);
    expect(at.house.evidenceOf(at.tenantId).map(({ kind }) => kind)).toEqual(["person_enrolled"]);
    expect(at.house.query(`select id from transactions where tenant_id = '${at.tenantId}'`)).toHaveLength(4);
  });

  it("takes a template in place of the best image only where the operator says so, never the registered one", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const request = { userId: "ana", registeredTemplateRaw, template: await at.house.token(selfies[0]) };
    const refused = await at.caller.authenticate(request);
    expect(refused.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialAuthenticationResult: 3,
      serviceLivenessResult: 0,
      outcome: "retry",
    });
    const policy = { ...defaultPeoplePolicy, templateWithoutPicture: "accepted" as const };
    const trusting = makeCaller(at.house, at.house.serve({ policy }), at.tenantId);
    expect((await trusting.authenticate(request)).body).toMatchObject({
      serviceResultCode: 0,
      serviceLivenessLog: "None",
      outcome: "approved",
    });
    const itself = await trusting.authenticate({ ...request, template: registeredTemplateRaw });
    expect(itself.body).toMatchObject({ serviceResultCode: -101 });
    const other = await trusting.authenticate({ ...request, template: await at.house.token(stranger) });
    expect(other.body).toMatchObject({ serviceResultCode: -102, outcome: "rejected" });
  });

  it("takes no template's own word for how common its face looks, where a trusted one tells", async () => {
    const { house, tenantId } = at;
    const registered = claiming(await house.templateOf(portrait), 4.2);
    await house.register(tenantId, "ana", registered);
    const policy = { ...defaultPeoplePolicy, templateWithoutPicture: "accepted" as const };
    const trusting = makeCaller(house, house.serve({ policy }), tenantId);
    const own = await house.seal("template", registered);
    const modest = await house.seal("template", claiming(await house.templateOf(selfies[2]), 0));
    const probe = { userId: "ana", registeredTemplateRaw: own, template: modest };
    expect((await trusting.authenticate(probe)).body).toMatchObject({ serviceResultCode: -102 });
    const reference = {
      userId: "ana",
      registeredTemplateRaw: modest,
      bestImageToken: await house.live(selfies[0]),
    };
    expect((await trusting.authenticate(reference)).body).toMatchObject({ serviceResultCode: -100 });
  });

  it("takes no sent template's word at a first call either: the person who is seen tells", async () => {
    const { house } = at;
    const { face } = house.service;
    const [seen, other] = [await house.templateOf(selfies[2]), await house.templateOf(stranger)];
    const side = (template: Uint8Array) => ({ kind: "template" as const, template });
    // On the way from the person to a stranger: the last face that is still the person's, were its claim not believed.
    const vectors = unpackPair(other)!;
    const between = (share: number, commonness: (value: number) => number): Uint8Array =>
      face.mapTemplate(seen, {
        vector: (vector) => {
          const far = vector.length === 128 ? vectors.dlib : vectors.faceres;
          return unitVector(vector.map((value, i) => (1 - share) * value + share * far[i]!));
        },
        commonness,
      })!;
    const resultOf = (one: Uint8Array) => face.compare(side(one), side(seen)).result;
    const shares = Array.from({ length: 400 }, (_, n) => n / 400);
    const share = shares.findLast((one) => resultOf(between(one, (value) => value)) === "Positive")!;
    const overclaiming = between(share, () => 6);
    expect(resultOf(overclaiming)).toBe("Negative");
    const { body } = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await house.seal("template", overclaiming),
      bestImageToken: await house.live(selfies[2]),
    });
    expect(body).toMatchObject({ serviceResultCode: 0 });
    expect(house.peopleOf(at.tenantId)).toHaveLength(1);
  });

  it("knows a user again beside an own cohort that came after the enrolment, by what that says of both faces", async () => {
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
    const server = at.house.serve({ face: at.house.faceUnder(withScale(defaultFacePolicy, scale)) });
    const beside = makeCaller(at.house, server, at.tenantId);
    const { body } = await beside.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.house.live(selfies[1]),
    });
    expect(body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    const [ours, theirs] = await Promise.all([portrait, selfies[1]].map(at.house.templateOf));
    const [a, b] = [ours, theirs].map((bytes) => asSeenBy(scale, unpackTemplate(bytes!)!));
    const record = await at.house.store.findTransaction(at.tenantId, String(body["transactionId"]));
    expect(record?.policyVersion).toContain(`+cohort/${cohort.hash.slice(0, 8)}`);
    const { score } = compare(a!, b!, scale)!;
    expect(record?.measurements).toMatchObject({ comparison: { score: expect.closeTo(score, 3) } });
    const other = await beside.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await at.house.live(stranger),
    });
    expect(other.body).toMatchObject({ serviceFacialAuthenticationLog: "Negative" });
  });

  it("keeps live and test users and those of other tenants apart", async () => {
    await at.caller.enrol("ana");
    const others = [
      makeCaller(at.house, at.server, at.tenantId, "live"),
      makeCaller(at.house, at.server, await at.house.newTenant()),
    ];
    for (const other of others) {
      expect((await other.remove("ana")).body).toMatchObject({ notFoundUserIds: ["ana"] });
      await other.enrol("ana");
    }
    expect(new Set(at.house.peopleOf(at.tenantId).map(({ world }) => world))).toEqual(
      new Set(["live", "test"]),
    );
  });
});
