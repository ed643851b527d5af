import { describe, expect, it } from "vitest";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { impostor, selfies, useUserHarness } from "#support/users/harness";

const at = useUserHarness(recordedFaceEngine);

describe("failures in a row", () => {
  const fail = async (times: number, wrong: string) => {
    const answers = [];
    for (let n = 0; n < times; n++) {
      const bestImageToken = await at.harness.live(selfies[0]);
      answers.push(
        await at.caller.authenticate({ userId: "ana", registeredTemplateRaw: wrong, bestImageToken }),
      );
    }
    return answers;
  };

  it("pause the user for exactly 30 seconds after five, even for a genuine attempt", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const wrong = await at.harness.token(impostor);
    const answers = await fail(6, wrong);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[5]!.body).toMatchObject({ failure: "user_paused" });
    expect(Number(answers[5]!.headers["retry-after"])).toBeGreaterThan(25);
    const right = async () =>
      await at.caller.authenticate({
        userId: "ana",
        registeredTemplateRaw,
        bestImageToken: await at.harness.live(selfies[1]),
      });
    expect(await right()).toMatchObject({ status: 429 });
    const update = await at.caller.update("ana", registeredTemplateRaw, registeredTemplateRaw);
    expect(update).toMatchObject({ status: 429 });
    at.harness.clock.aheadMs = 31_000;
    expect((await right()).body).toMatchObject({ serviceResultCode: 0 });
    expect(at.harness.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0, paused_until: null });
  });

  it("disable the user after fifty, until the operator enables it", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const wrong = await at.harness.token(impostor);
    for (let failures = 0; failures < 50; failures++) {
      expect((await fail(1, wrong))[0]!.body).toMatchObject({ serviceResultCode: -100 });
      at.harness.clock.aheadMs += failures >= 4 ? 30_001 : 0;
    }
    const bestImageToken = await at.harness.live(selfies[1]);
    const request = { userId: "ana", registeredTemplateRaw, bestImageToken };
    at.harness.clock.aheadMs += 86_400_000;
    expect(await at.caller.authenticate(request)).toMatchObject({
      status: 403,
      body: { failure: "user_disabled" },
    });
    const user = await at.harness.admin.find({ tenantId: at.tenantId, environment: "test" }, "ana");
    expect(user).toMatchObject({ failures: 50, disabledAt: expect.any(Date) });
    expect(await at.harness.admin.enable(user!)).toBe(true);
    expect((await at.caller.authenticate(request)).body).toMatchObject({ serviceResultCode: 0 });
    const kinds = at.harness.evidenceOf(at.tenantId).map(({ kind }) => kind);
    expect(kinds).toEqual(["person_enrolled", "person_disabled", "person_enabled"]);
  });
});
