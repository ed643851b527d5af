import { describe, expect, it } from "vitest";
import { imageOf } from "#support/face/images";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { pngOf } from "#support/imaging/images";
import { portrait, selfies, useUserHarness } from "#support/users/harness";

const at = useUserHarness(recordedFaceEngine);

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

describe("bad input", () => {
  it("is refused with every field named", async () => {
    const empty = await at.caller.authenticate({ merchantReferenceId: undefined });
    expect(empty).toMatchObject({ status: 400, body: { failure: "request_invalid", code: 1102 } });
    for (const field of ["userId", "registeredTemplateRaw", "bestImageToken", "merchantReferenceId"]) {
      expect(JSON.stringify(empty.body["errors"])).toContain(field);
    }
    const short = await at.caller.authenticate({ userId: "a", image: "!!", bestImageToken: "!!" });
    expect(short).toMatchObject({ status: 400, body: { errors: [expect.stringContaining("userId")] } });
    const wrong = await at.caller.authenticate({ userId: "ana", image: "!!", bestImageToken: "!!" });
    expect(wrong).toMatchObject({
      status: 400,
      body: { code: 1401, errors: ["image: is not valid Base64", "bestImageToken: is not valid Base64"] },
    });
    for (const body of [{}, { userIds: [] }, { userIds: "ana" }, { userIds: Array(1001).fill("ana") }]) {
      expect((await at.caller.call("DELETE", "/services/authenticateUser", body)).status).toBe(400);
    }
  });

  it.each([
    ["a PDF", new TextEncoder().encode("%PDF-1.7")],
    ["an image with too many pixels", pngOf(50_000, 50_000)],
  ])("in a best image is an answer, and no failed attempt: %s", async (_what, payload) => {
    const token = () => at.harness.seal("best-image", payload);
    const image = base64(imageOf(portrait));
    const first = await at.caller.authenticate({ userId: "ana", image, bestImageToken: await token() });
    const unreadable = { serviceResultCode: -101, serviceLivenessResult: 9, outcome: "retry" };
    expect(first).toMatchObject({ status: 200, body: unreadable });
    expect(at.harness.peopleOf(at.tenantId)).toEqual([]);
    await at.caller.enrol("ana");
    for (const [version, body] of [
      ["", { serviceResultCode: -101 }],
      ["/v2", unreadable],
    ] as const) {
      const later = { userId: "ana", image, bestImageToken: await token() };
      expect(await at.caller.authenticate(later, version)).toMatchObject({ status: 200, body });
    }
    expect(at.harness.peopleOf(at.tenantId)).toMatchObject([{ failures: 0 }]);
  });

  it("of tokens and images is reported by field name, and stores nothing", async () => {
    const image = base64(imageOf(portrait));
    const bestImageToken = await at.harness.live(selfies[0]);
    const noToken = base64(new TextEncoder().encode("neither a token nor a picture"));
    const cases = [
      [{ image: base64(new Uint8Array(9)), bestImageToken }, "image_unsupported", "image"],
      [{ image, bestImageToken: noToken }, "token_unreadable", "bestImageToken"],
      [{ image, bestImageToken: await at.harness.token(selfies[0]) }, "token_wrong_kind", "bestImageToken"],
      [{ image, template: bestImageToken }, "token_wrong_kind", "template"],
      [
        { registeredTemplateRaw: await at.harness.seal("ocr", new Uint8Array(9)), bestImageToken },
        "token_wrong_kind",
        "registeredTemplateRaw",
      ],
      [{ registeredTemplateRaw: noToken, bestImageToken }, "token_unreadable", "registeredTemplateRaw"],
    ] as const;
    for (const [fields, failure, field] of cases) {
      const answer = await at.caller.authenticate({ userId: "ana", ...fields });
      expect(answer, JSON.stringify(answer.body)).toMatchObject({
        status: 422,
        body: { failure, facts: { field } },
      });
    }
    expect(at.harness.query(`select id from transactions where tenant_id = '${at.tenantId}'`)).toEqual([]);
    const first = await at.caller.authenticate({ userId: "ana", image, bestImageToken });
    expect(first.body).toMatchObject({ serviceResultCode: 0 });
    const replayed = await at.caller.authenticate({ userId: "ana", image, bestImageToken });
    expect(replayed).toMatchObject({ status: 409, body: { failure: "token_replayed" } });
  });
});
