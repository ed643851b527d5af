import { describe, expect, it } from "vitest";
import { selfies, stranger, usePeopleHouse } from "../testing/people-house.ts";

const at = usePeopleHouse();

describe("failures in a row", () => {
  const fail = async (times: number, wrong: string) => {
    const answers = [];
    for (let n = 0; n < times; n++) {
      const bestImageToken = await at.house.live(selfies[0]);
      answers.push(
        await at.caller.authenticate({ userId: "ana", registeredTemplateRaw: wrong, bestImageToken }),
      );
    }
    return answers;
  };

  it("pause the user for 30 seconds after five, also for the right person, and no longer", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const wrong = await at.house.token(stranger);
    const answers = await fail(6, wrong);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers[5]!.body).toMatchObject({ failure: "user_paused" });
    expect(Number(answers[5]!.headers["retry-after"])).toBeGreaterThan(25);
    const right = async () =>
      await at.caller.authenticate({
        userId: "ana",
        registeredTemplateRaw,
        bestImageToken: await at.house.live(selfies[1]),
      });
    expect(await right()).toMatchObject({ status: 429 });
    const update = await at.caller.update("ana", registeredTemplateRaw, registeredTemplateRaw);
    expect(update).toMatchObject({ status: 429 });
    at.house.clock.aheadMs = 31_000;
    expect((await right()).body).toMatchObject({ serviceResultCode: 0 });
    expect(at.house.peopleOf(at.tenantId)[0]).toMatchObject({ failures: 0, paused_until: null });
  });

  it("disable the user after fifty, until the operator acts", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const wrong = await at.house.token(stranger);
    for (let failures = 0; failures < 50; failures++) {
      expect((await fail(1, wrong))[0]!.body).toMatchObject({ serviceResultCode: -100 });
      at.house.clock.aheadMs += failures >= 4 ? 30_001 : 0;
    }
    const bestImageToken = await at.house.live(selfies[1]);
    const request = { userId: "ana", registeredTemplateRaw, bestImageToken };
    at.house.clock.aheadMs += 86_400_000;
    expect(await at.caller.authenticate(request)).toMatchObject({
      status: 403,
      body: { failure: "user_disabled" },
    });
    const person = await at.house.desk.find({ tenantId: at.tenantId, world: "test" }, "ana");
    expect(person).toMatchObject({ failures: 50, disabledAt: expect.any(Date) });
    expect(await at.house.desk.enable(person!)).toBe(true);
    expect((await at.caller.authenticate(request)).body).toMatchObject({ serviceResultCode: 0 });
    const kinds = at.house.evidenceOf(at.tenantId).map(({ kind }) => kind);
    expect(kinds).toEqual(["person_enrolled", "person_disabled", "person_enabled"]);
  });
});
