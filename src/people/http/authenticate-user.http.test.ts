import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pictureOf, recaptured } from "../../face/testing/pictures.ts";
import { defaultPeoplePolicy } from "../policy.ts";
import {
  makeCaller,
  openPeopleHouse,
  type PeopleHouse,
  portrait,
  selfies,
  stranger,
} from "../testing/people-house.ts";

let house: PeopleHouse;
let server: ReturnType<PeopleHouse["serve"]>;
let tenantId: string;
let caller: ReturnType<typeof makeCaller>;

beforeAll(async () => {
  house = await openPeopleHouse();
  server = house.serve();
});
afterAll(() => house.close());
beforeEach(async () => {
  tenantId = await house.newTenant();
  caller = makeCaller(house, server, tenantId);
  house.clock.aheadMs = 0;
});

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("POST /services/authenticateUser", () => {
  it("establishes a user by a registry's picture and gives the template for later calls", async () => {
    const answer = await caller.authenticate(
      { userId: "ana", image: base64(pictureOf(portrait)), bestImageToken: await house.live(selfies[0]) },
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
    expect(house.evidenceOf(tenantId)).toMatchObject([
      { kind: "person_enrolled", body: { transaction: answer.body["transactionId"] } },
    ]);
  });

  it("compares later calls with what was registered, in both versions", async () => {
    const registeredTemplateRaw = await caller.enrol("ana");
    const first = await caller.authenticate(
      { userId: "ana", registeredTemplateRaw, bestImageToken: await house.live(selfies[1]) },
      "",
    );
    expect(first.body).toMatchObject({ serviceResultCode: 0 });
    expect(first.body).not.toHaveProperty("registeredTemplateRaw");
    const second = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await house.live(selfies[2]),
    });
    expect(second.body).toMatchObject({
      serviceResultCode: 0,
      serviceFacialAuthenticationResult: 3,
      serviceFacialAuthenticationLog: "Positive",
      serviceLivenessResult: 3,
      serviceLivenessLog: "Live",
      outcome: "approved",
    });
    expect(house.peopleOf(tenantId)).toHaveLength(1);
  });

  it.each([
    ["a face image", () => house.seal("face-image", pictureOf(portrait)), true],
    ["a template", () => house.token(portrait), false],
  ] as const)("establishes a user by %s in the field of the template", async (_, seal, gives) => {
    const answer = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await seal(),
      bestImageToken: await house.live(selfies[0]),
    });
    expect(answer.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
    expect("registeredTemplateRaw" in answer.body).toBe(gives);
    expect(house.peopleOf(tenantId)).toHaveLength(1);
  });

  it("answers -100 where the reference is not the user's, and leaves the best image unused", async () => {
    await caller.enrol("ana");
    const bestImageToken = await house.live(selfies[1]);
    const foreign = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: await house.token(stranger),
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
    const picture = await caller.authenticate({ userId: "ana", image, bestImageToken });
    expect(picture.body).toMatchObject({ serviceResultCode: -100, outcome: "rejected" });
    const record = await house.store.findTransaction(tenantId, String(picture.body["transactionId"]));
    expect(record).toMatchObject({ result: { code: -100, facial: 0, liveness: 0 }, tokenHashes: [] });
    const garbage = await house.seal("template", new Uint8Array(50));
    const unread = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: garbage,
      bestImageToken,
    });
    expect(unread.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
    const good = await caller.authenticate({
      userId: "ana",
      image: base64(pictureOf(portrait)),
      bestImageToken,
    });
    expect(good.body).toMatchObject({ serviceResultCode: 0, outcome: "approved" });
  });

  it("answers -101 to a recapture and to the registered picture itself, and establishes nobody so", async () => {
    const image = base64(pictureOf(portrait));
    const screen = await house.seal("best-image", await recaptured(house.engine, selfies[0]));
    const attack = await caller.authenticate({ userId: "ana", image, bestImageToken: screen });
    expect(attack).toMatchObject({
      status: 200,
      body: {
        serviceResultCode: -101,
        serviceResultLog: "bestImageToken does not match a living person",
        serviceLivenessResult: 17,
        outcome: "rejected",
      },
    });
    const copy = await caller.authenticate({
      userId: "ana",
      image,
      bestImageToken: await house.live(portrait),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
    expect(house.peopleOf(tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await caller.enrol("ana");
    const again = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw,
      bestImageToken: await house.live(portrait),
    });
    expect(again.body).toMatchObject({ serviceResultCode: -101, serviceLivenessResult: 17 });
  });

  it("answers -102 to somebody else, at first and later", async () => {
    const image = base64(pictureOf(portrait));
    const first = await caller.authenticate({
      userId: "ana",
      image,
      bestImageToken: await house.live(stranger),
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
    expect(house.peopleOf(tenantId)).toHaveLength(0);
    const registeredTemplateRaw = await caller.enrol("ana");
    const bestImageToken = await house.live(stranger);
    const later = await caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(later.body).toMatchObject({ serviceResultCode: -102, serviceLivenessResult: 3 });
    expect(Number(later.body["serviceFacialSimilarityResult"])).toBeLessThan(0.5);
  });

  it("asks for a better picture where no face can be known, and counts that as no failure", async () => {
    const registeredTemplateRaw = await caller.enrol("ana");
    const blank = await house.engine.imaging.encodeJpeg(
      { width: 300, height: 300, data: new Uint8Array(270_000).fill(128) },
      90,
    );
    const bestImageToken = await house.seal("best-image", blank);
    const answer = await caller.authenticate({ userId: "ana", registeredTemplateRaw, bestImageToken });
    expect(answer.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialSimilarityResult: null,
      serviceFacialAuthenticationLog: "NoneBecauseInvalidExtractions",
      serviceLivenessLog: "NoneBecauseFaceNotFound",
      outcome: "retry",
    });
    expect(house.peopleOf(tenantId)[0]).toMatchObject({ failures: 0 });
  });

  it("establishes a user once, however many first calls come at the same moment", async () => {
    const calls = await Promise.all(
      [...selfies, "franck_02045.jpg"].map(async (name) =>
        caller.authenticate({
          userId: "ana",
          image: base64(pictureOf(portrait)),
          bestImageToken: await house.live(name),
        }),
      ),
    );
    expect(calls.map(({ body }) => body["serviceResultCode"])).toEqual([0, 0, 0, 0]);
    expect(house.peopleOf(tenantId)).toHaveLength(1);
    expect(house.evidenceOf(tenantId).map(({ kind }) => kind)).toEqual(["person_enrolled"]);
    expect(house.query(`select id from transactions where tenant_id = '${tenantId}'`)).toHaveLength(4);
  });

  it("takes a template in place of the best image only where the operator says so, never the registered one", async () => {
    const registeredTemplateRaw = await caller.enrol("ana");
    const request = { userId: "ana", registeredTemplateRaw, template: await house.token(selfies[0]) };
    const refused = await caller.authenticate(request);
    expect(refused.body).toMatchObject({
      serviceResultCode: -101,
      serviceFacialAuthenticationResult: 3,
      serviceLivenessResult: 0,
      outcome: "retry",
    });
    const policy = { ...defaultPeoplePolicy, templateWithoutPicture: "accepted" as const };
    const trusting = makeCaller(house, house.serve({ policy }), tenantId);
    expect((await trusting.authenticate(request)).body).toMatchObject({
      serviceResultCode: 0,
      serviceLivenessLog: "None",
      outcome: "approved",
    });
    const itself = await trusting.authenticate({ ...request, template: registeredTemplateRaw });
    expect(itself.body).toMatchObject({ serviceResultCode: -101 });
    const other = await trusting.authenticate({ ...request, template: await house.token(stranger) });
    expect(other.body).toMatchObject({ serviceResultCode: -102, outcome: "rejected" });
  });

  it("keeps live and test users and those of other tenants apart", async () => {
    await caller.enrol("ana");
    const others = [
      makeCaller(house, server, tenantId, "live"),
      makeCaller(house, server, await house.newTenant()),
    ];
    for (const other of others) {
      expect((await other.remove("ana")).body).toMatchObject({ notFoundUserIds: ["ana"] });
      await other.enrol("ana");
    }
    expect(new Set(house.peopleOf(tenantId).map(({ world }) => world))).toEqual(new Set(["live", "test"]));
  });
});
