import { describe, expect, it } from "vitest";
import { sideBySide } from "../../face/testing/altered.ts";
import { pictureOf } from "../../face/testing/pictures.ts";
import { claiming, portrait, selfies, stranger, usePeopleHouse } from "../testing/people-house.ts";

const at = usePeopleHouse();

const side = (template: Uint8Array) => ({ kind: "template" as const, template });

describe("POST /services/updateUserTemplate", () => {
  it("replaces the template and its key, and compares with the new one from then on", async () => {
    const old = await at.caller.enrol("ana");
    const [before] = at.house.peopleOf(at.tenantId);
    const fresh = await at.house.token(selfies[0]);
    const answer = await at.caller.update("ana", old, fresh);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      timestamp: expect.any(String),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "[updateUserTemplate] Service executed ok",
    });
    const [after] = at.house.peopleOf(at.tenantId);
    expect(after).toMatchObject({ id: before!["id"], revision: 2 });
    expect(at.house.evidenceOf(at.tenantId)[1]).toMatchObject({
      kind: "person_template_replaced",
      body: { destroyedKey: before!["key_id"], key: after!["key_id"] },
    });
    // Only the picture that is registered now is a copy of it.
    const copy = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await at.house.live(selfies[0]),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101 });
    const same = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await at.house.live(selfies[1]),
    });
    expect(same.body).toMatchObject({ serviceResultCode: 0 });
  });

  it("takes a face image in place of the new template, and gives the template that it made of it", async () => {
    const old = await at.caller.enrol("ana");
    const answer = await at.caller.update(
      "ana",
      old,
      await at.house.seal("face-image", pictureOf(selfies[1])),
    );
    expect(answer).toMatchObject({ status: 200, body: { registeredTemplateRaw: expect.any(String) } });
    const made = String(answer.body["registeredTemplateRaw"]);
    expect((await at.caller.update("ana", made, old)).body).toMatchObject({ serviceResultCode: 0 });
  });

  it("answers -103 with 400, -100 and -102 with 401, and changes nothing", async () => {
    const fresh = await at.house.token(selfies[1]);
    expect(await at.caller.update("nobody", fresh, fresh)).toMatchObject({
      status: 400,
      body: { serviceResultCode: -103, serviceResultLog: "User not found" },
    });
    const registered = await at.caller.enrol("ana");
    const before = at.house.peopleOf(at.tenantId);
    const foreign = await at.caller.update("ana", await at.house.token(stranger), fresh);
    expect(foreign).toMatchObject({
      status: 401,
      body: { serviceResultCode: -100, transactionId: expect.any(String) },
    });
    expect(foreign.headers["www-authenticate"]).toBeDefined();
    const stale = await at.caller.update("ana", await at.house.token(selfies[2]), fresh);
    expect(stale).toMatchObject({ status: 401, body: { serviceResultCode: -102 } });
    const after = at.house.peopleOf(at.tenantId);
    expect(after).toEqual(before.map((row) => ({ ...row, failures: 2 })));
    expect((await at.caller.update("ana", registered, fresh)).status).toBe(200);
  });

  it("refuses a new template of somebody else, of another recogniser, or of no use", async () => {
    const registered = await at.caller.enrol("ana");
    const other = await at.house.templateOf(selfies[0]);
    const otherModel = other.with(20, other[20]! ^ 1);
    const refused = [
      [await at.house.token(stranger), "template_mismatch"],
      [await at.house.seal("template", otherModel), "template_unusable"],
      [await at.house.seal("template", new Uint8Array(9)), "template_unusable"],
      [await at.house.seal("face-image", pictureOf("ironman.jpg")), "template_unusable"],
      [await at.house.seal("face-image", new Uint8Array(9)), "image_unsupported"],
      [await at.house.seal("best-image", pictureOf(selfies[0])), "token_wrong_kind"],
    ] as const;
    for (const [fresh, failure] of refused) {
      expect(await at.caller.update("ana", registered, fresh)).toMatchObject({
        status: 422,
        body: { failure },
      });
    }
    expect(at.house.peopleOf(at.tenantId)[0]).toMatchObject({ revision: 1, failures: 0 });
  });

  it("takes the registered template's word for how common the face looks, not that of the one that was sent", async () => {
    const registered = claiming(await at.house.templateOf(portrait), 4.2);
    await at.house.register(at.tenantId, "ana", registered);
    const old = await at.house.seal("template", registered);
    const fresh = claiming(await at.house.templateOf(selfies[2]), 0);
    // As it came it would pass.
    const judged = at.house.service.face.compare(side(fresh), side(registered));
    expect(judged.result).toBe("Positive");
    expect(await at.caller.update("ana", old, await at.house.seal("template", fresh))).toMatchObject({
      status: 422,
      body: { failure: "template_mismatch" },
    });
  });

  it("moves nobody to a picture of which it is open whose face is meant", async () => {
    const { house, tenantId, caller } = at;
    const current = await house.templateOf(portrait);
    const outdated = current.with(20, current[20]! ^ 1);
    await house.register(tenantId, "ana", outdated);
    const registered = await house.seal("template", outdated);
    const picture = await house.engine.imaging.open(pictureOf(portrait));
    const crowd = await house.engine.imaging.encodeJpeg(sideBySide(picture, picture), 90);
    expect(await caller.update("ana", registered, await house.seal("face-image", crowd))).toMatchObject({
      status: 422,
      body: { failure: "template_unusable" },
    });
    const alone = await house.seal("face-image", pictureOf(portrait));
    expect((await caller.update("ana", registered, alone)).status).toBe(200);
  });

  it("moves a user from an older recogniser, whose templates nothing else compares", async () => {
    const current = await at.house.templateOf(portrait);
    const outdated = current.with(20, current[20]! ^ 1);
    const recogniser = at.house.service.face.recogniserOf(outdated)!;
    await at.house.register(at.tenantId, "ana", outdated);
    const registered = await at.house.seal("template", outdated);
    const now = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await at.house.live(selfies[1]),
    });
    expect(now).toMatchObject({ status: 409, body: { failure: "template_outdated" } });
    expect(at.house.peopleOf(at.tenantId)[0]).toMatchObject({ recogniser, failures: 0 });
    expect((await at.caller.update("ana", registered, await at.house.token(portrait))).status).toBe(200);
    const later = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await at.house.live(selfies[1]),
    });
    expect(later.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
  });
});
