import { describe, expect, it } from "vitest";
import { recordedFaceEngine } from "#support/face/recorded-face-engine";
import { impostor, makeCaller, portrait, selfies, useUserHarness } from "#support/users/harness";
import { defaultUserPolicy } from "../policy.ts";

const at = useUserHarness(recordedFaceEngine);
const dayMs = 86_400_000;

/** A caller of a server under a policy with several references. */
const callerUnder = (max: number, falseMatchRate = 1e-2) => {
  const references = { max, falseMatchRate, apartMs: dayMs };
  const server = at.harness.serve({ policy: { ...defaultUserPolicy, references } });
  return makeCaller(at.harness, server, at.tenantId);
};
const loginOf = async (caller: ReturnType<typeof callerUnder>, registeredTemplateRaw: string, name: string) =>
  await caller.authenticate({
    userId: "ana",
    registeredTemplateRaw,
    bestImageToken: await at.harness.live(name),
  });
const references = () =>
  at.harness.query(`select key_id from user_references where tenant_id = '${at.tenantId}'`);

describe("several references of a user", () => {
  it("join one a day at sure logins, up to the policy's number, and raise the score of the next login", async () => {
    const caller = callerUnder(2);
    const registered = await caller.enrol("ana");
    const first = await loginOf(caller, registered, selfies[1]);
    expect(first.body).toMatchObject({ serviceResultCode: 0 });
    expect(references()).toHaveLength(0);
    at.harness.clock.aheadMs = dayMs + 60_000;
    await loginOf(caller, registered, selfies[1]);
    expect(references()).toHaveLength(1);
    expect(at.harness.evidenceOf(at.tenantId).at(-1)).toMatchObject({
      kind: "person_reference_added",
      body: { key: references()[0]!["key_id"] },
    });
    const alone = await loginOf(callerUnder(1), registered, selfies[2]);
    const joined = await loginOf(caller, registered, selfies[2]);
    expect(joined.body).toMatchObject({ serviceResultCode: 0 });
    expect(joined.body["serviceFacialSimilarityResult"]).not.toBe(
      alone.body["serviceFacialSimilarityResult"],
    );
    at.harness.clock.aheadMs = 3 * dayMs;
    await loginOf(caller, registered, selfies[2]);
    expect(references()).toHaveLength(1);
  });

  it("never join from another face, from a face below the strictest rate, or where the policy has one", async () => {
    const registered = await at.caller.enrol("ana");
    at.harness.clock.aheadMs = 2 * dayMs;
    await loginOf(at.caller, registered, selfies[1]);
    await loginOf(callerUnder(3, 1e-9), registered, selfies[1]);
    const foreign = await loginOf(callerUnder(3), registered, impostor);
    expect(foreign.body).not.toMatchObject({ serviceResultCode: 0 });
    expect(references()).toHaveLength(0);
  });

  it("leave the registered template as it was, and go with it", async () => {
    const caller = callerUnder(3);
    const registered = await caller.enrol("ana");
    at.harness.clock.aheadMs = 2 * dayMs;
    await loginOf(caller, registered, selfies[1]);
    expect(references()).toHaveLength(1);
    const updated = await caller.update("ana", registered, await at.harness.token(portrait));
    expect(updated).toMatchObject({ status: 200 });
    expect(references()).toHaveLength(0);
  });
});
