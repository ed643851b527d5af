import { describe, expect, it } from "vitest";
import { recogniserOfTemplate } from "#judging/face/matching/template";
import { drawImage } from "#support/face/drawn-images";
import { imageOf } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { claiming, impostor, makeCaller, portrait, selfies, useUserHarness } from "#support/users/harness";

const at = useUserHarness(recordedFaceEngine);

const side = (template: Uint8Array) => ({ kind: "template" as const, template });

describe("POST /services/updateUserTemplate", () => {
  it("replaces the template and its key, and compares with the new one from then on", async () => {
    const old = await at.caller.enrol("ana");
    const [before] = at.harness.peopleOf(at.tenantId);
    const fresh = await at.harness.token(selfies[0]);
    const answer = await at.caller.update("ana", old, fresh);
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      timestamp: expect.any(String),
      transactionId: expect.any(String),
      serviceResultCode: 0,
      serviceResultLog: "[updateUserTemplate] Service executed ok",
    });
    const [after] = at.harness.peopleOf(at.tenantId);
    expect(after).toMatchObject({ id: before!["id"], revision: 2 });
    expect(at.harness.evidenceOf(at.tenantId)[1]).toMatchObject({
      kind: "person_template_replaced",
      body: { destroyedKey: before!["key_id"], key: after!["key_id"] },
    });
    // Only the image that is registered now counts as a copy.
    const copy = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await at.harness.live(selfies[0]),
    });
    expect(copy.body).toMatchObject({ serviceResultCode: -101 });
    const same = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: fresh,
      bestImageToken: await at.harness.live(selfies[1]),
    });
    expect(same.body).toMatchObject({ serviceResultCode: 0 });
  });

  it("accepts a face image in place of the new template, and returns its template", async () => {
    const old = await at.caller.enrol("ana");
    const server = at.harness.serve({ face: at.harness.faceOfNetworks() });
    const answer = await makeCaller(at.harness, server, at.tenantId).update(
      "ana",
      old,
      await at.harness.seal("face-image", imageOf(selfies[1])),
    );
    expect(answer).toMatchObject({ status: 200, body: { registeredTemplateRaw: expect.any(String) } });
    const made = String(answer.body["registeredTemplateRaw"]);
    expect((await at.caller.update("ana", made, old)).body).toMatchObject({ serviceResultCode: 0 });
  });

  it("answers -103 with 400, -100 and -102 with 401, and changes nothing", async () => {
    const fresh = await at.harness.token(selfies[1]);
    expect(await at.caller.update("nobody", fresh, fresh)).toMatchObject({
      status: 400,
      body: { serviceResultCode: -103, serviceResultLog: "User not found" },
    });
    const registered = await at.caller.enrol("ana");
    const before = at.harness.peopleOf(at.tenantId);
    const foreign = await at.caller.update("ana", await at.harness.token(impostor), fresh);
    expect(foreign).toMatchObject({
      status: 401,
      body: { serviceResultCode: -100, transactionId: expect.any(String) },
    });
    expect(foreign.headers["www-authenticate"]).toBeDefined();
    const stale = await at.caller.update("ana", await at.harness.token(selfies[2]), fresh);
    expect(stale).toMatchObject({ status: 401, body: { serviceResultCode: -102 } });
    const after = at.harness.peopleOf(at.tenantId);
    expect(after).toEqual(before.map((row) => ({ ...row, failures: 2 })));
    expect((await at.caller.update("ana", registered, fresh)).status).toBe(200);
  });

  it("refuses a new template of another person, of another recogniser, or of unusable bytes", async () => {
    const registered = await at.caller.enrol("ana");
    const other = await at.harness.templateOf(selfies[0]);
    const otherModel = other.with(20, other[20]! ^ 1);
    const refused = [
      [await at.harness.token(impostor), "template_mismatch"],
      [await at.harness.seal("template", otherModel), "template_unusable"],
      [await at.harness.seal("template", new Uint8Array(9)), "template_unusable"],
      [await at.harness.seal("face-image", imageOf("ironman.jpg")), "template_unusable"],
      [await at.harness.seal("face-image", new Uint8Array(9)), "image_unsupported"],
      [await at.harness.seal("document-image", imageOf(selfies[0])), "token_wrong_kind"],
    ] as const;
    for (const [fresh, failure] of refused) {
      expect(await at.caller.update("ana", registered, fresh)).toMatchObject({
        status: 422,
        body: { failure },
      });
    }
    expect(at.harness.peopleOf(at.tenantId)[0]).toMatchObject({ revision: 1, failures: 0 });
  });

  it("takes the cohort score from the registered template, not from the sent one", async () => {
    const registered = claiming(await at.harness.templateOf(portrait), 4.2);
    await at.harness.register(at.tenantId, "ana", registered);
    const old = await at.harness.seal("template", registered);
    const fresh = claiming(await at.harness.templateOf(selfies[2]), 0);
    // With its own claim it would pass.
    const judged = at.harness.service.face.compare(side(fresh), side(registered));
    expect(judged.result).toBe("Positive");
    expect(await at.caller.update("ana", old, await at.harness.seal("template", fresh))).toMatchObject({
      status: 422,
      body: { failure: "template_mismatch" },
    });
  });

  it("refuses an image with multiple faces of similar size", async () => {
    const { harness, tenantId, caller } = at;
    const current = await harness.templateOf(portrait);
    const outdated = current.with(20, current[20]! ^ 1);
    await harness.register(tenantId, "ana", outdated);
    const registered = await harness.seal("template", outdated);
    const twoFaces = await drawImage(harness.engine, "one face twice");
    expect(await caller.update("ana", registered, await harness.seal("face-image", twoFaces))).toMatchObject({
      status: 422,
      body: { failure: "template_unusable" },
    });
    const alone = await harness.seal("face-image", imageOf(portrait));
    expect((await caller.update("ana", registered, alone)).status).toBe(200);
  });

  it("moves a user from an older recogniser, whose templates cannot be compared", async () => {
    const current = await at.harness.templateOf(portrait);
    const outdated = current.with(20, current[20]! ^ 1);
    const recogniser = recogniserOfTemplate(outdated)!;
    await at.harness.register(at.tenantId, "ana", outdated);
    const registered = await at.harness.seal("template", outdated);
    const now = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await at.harness.live(selfies[1]),
    });
    expect(now).toMatchObject({ status: 409, body: { failure: "template_outdated" } });
    expect(at.harness.peopleOf(at.tenantId)[0]).toMatchObject({ recogniser, failures: 0 });
    expect((await at.caller.update("ana", registered, await at.harness.token(portrait))).status).toBe(200);
    const later = await at.caller.authenticate({
      userId: "ana",
      registeredTemplateRaw: registered,
      bestImageToken: await at.harness.live(selfies[1]),
    });
    expect(later.body).toMatchObject({ serviceResultCode: -100, outcome: "retry" });
  });
});
