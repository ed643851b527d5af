import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { pictureOf } from "../../face/testing/pictures.ts";
import { pseudonymOf, recordOf } from "../service.ts";
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

const aCall = (tenant: string) => ({
  caller: { tenantId: tenant, keyId: randomUUID(), world: "test" as const },
  transactionId: randomUUID(),
  receivedAt: new Date(),
  signal: new AbortController().signal,
});

describe("POST /services/updateUserTemplate", () => {
  it("replaces the template and its key, and compares with the new one from then on", async () => {
    const old = await caller.enrol("ana");
    const [before] = house.peopleOf(tenantId);
    const fresh = await house.token(selfies[0]);
    const answer = await caller.update("ana", old, fresh);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      timestamp: expect.any(String),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "[updateUserTemplate] Service executed ok",
    });
    const [after] = house.peopleOf(tenantId);
    expect(after).toMatchObject({ id: before!["id"], revision: 2 });
    expect(house.evidenceOf(tenantId)[1]).toMatchObject({
      kind: "person_template_replaced",
      body: { destroyedKey: before!["key_id"], key: after!["key_id"] },
    });
    // Only the picture that is registered now is a copy of it.
    const copy = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await house.live(selfies[0]),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101 });
    const same = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await house.live(selfies[1]),
    });
    expect(same.body).toMatchObject({ serviceResultCode: 0 });
  });

  it("takes a face image in place of the new template, and gives the template that it made of it", async () => {
    const old = await caller.enrol("ana");
    const answer = await caller.update("ana", old, await house.seal("face-image", pictureOf(selfies[1])));
    expect(answer).toMatchObject({ status: 200, body: { registeredTemplateRaw: expect.any(String) } });
    const made = String(answer.body["registeredTemplateRaw"]);
    expect((await caller.update("ana", made, old)).body).toMatchObject({ serviceResultCode: 0 });
  });

  it("answers -103 with 400, -100 and -102 with 401, and changes nothing", async () => {
    const fresh = await house.token(selfies[1]);
    expect(await caller.update("nobody", fresh, fresh)).toMatchObject({
      status: 400,
      body: { serviceResultCode: -103, serviceResultLog: "User not found" },
    });
    const registered = await caller.enrol("ana");
    const before = house.peopleOf(tenantId);
    const foreign = await caller.update("ana", await house.token(stranger), fresh);
    expect(foreign).toMatchObject({
      status: 401,
      body: { serviceResultCode: -100, transactionId: expect.any(String) },
    });
    expect(foreign.headers["www-authenticate"]).toBeDefined();
    const stale = await caller.update("ana", await house.token(selfies[2]), fresh);
    expect(stale).toMatchObject({ status: 401, body: { serviceResultCode: -102 } });
    const after = house.peopleOf(tenantId);
    expect(after).toEqual(before.map((row) => ({ ...row, failures: 2 })));
    expect((await caller.update("ana", registered, fresh)).status).toBe(200);
  });

  it("refuses a new template of somebody else, of another recogniser, or of no use", async () => {
    const registered = await caller.enrol("ana");
    const other = await house.templateOf(selfies[0]);
    const otherModel = other.with(20, other[20]! ^ 1);
    const refused = [
      [await house.token(stranger), "template_mismatch"],
      [await house.seal("template", otherModel), "template_unusable"],
      [await house.seal("template", new Uint8Array(9)), "template_unusable"],
      [await house.seal("face-image", pictureOf("ironman.jpg")), "template_unusable"],
      [await house.seal("face-image", new Uint8Array(9)), "image_unsupported"],
      [await house.seal("best-image", pictureOf(selfies[0])), "token_wrong_kind"],
    ] as const;
    for (const [fresh, failure] of refused) {
      expect(await caller.update("ana", registered, fresh)).toMatchObject({ status: 422, body: { failure } });
    }
    expect(house.peopleOf(tenantId)[0]).toMatchObject({ revision: 1, failures: 0 });
  });

  it("moves a user from an older recogniser, whose templates nothing else compares", async () => {
    const current = await house.templateOf(portrait);
    const outdated = current.with(20, current[20]! ^ 1);
    const recogniser = house.service.face.recogniserOf(outdated)!;
    const owner = { tenantId, id: randomUUID() };
    const sealed = await house.service.vault.seal(owner, outdated);
    const pseudonym = await pseudonymOf(house.keyring, { tenantId, world: "test" }, "ana");
    const person = { ...owner, ...sealed, world: "test" as const, pseudonym, enrolledAt: new Date() };
    const record = recordOf(house.service, aCall(tenantId), { endpoint: "authenticateUser", result: 0 });
    expect(await house.store.enrolPerson(person, record, [], { events: [], evidence: [] })).toBe(true);
    const registered = await house.seal("template", outdated);
    const now = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await house.live(selfies[1]),
    });
    expect(now).toMatchObject({ status: 409, body: { failure: "template_outdated" } });
    expect(house.peopleOf(tenantId)[0]).toMatchObject({ recogniser, failures: 0 });
    expect((await caller.update("ana", registered, await house.token(portrait))).status).toBe(200);
    const later = await caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await house.live(selfies[1]),
    });
    expect(later.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
  });
});
