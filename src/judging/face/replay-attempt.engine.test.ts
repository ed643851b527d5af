import { describe, expect, it } from "vitest";
import { imageOf, recaptured } from "#support/face/images";
import { impostor, portrait, selfies, useUserHarness } from "#support/users/harness";
import { defaultFacePolicy as policy } from "./policy.ts";
import { changePolicy } from "./policy-file.ts";
import { replay, shadowOf } from "./replay.ts";

const at = useUserHarness();
const under = (change: object) => changePolicy(policy, JSON.stringify(change), ["1e-2"]);
const image = (name: string) => Buffer.from(imageOf(name)).toString("base64");

/** The stored call of a claimant for the user Ana. */
const attempt = async (fields: object, version: "" | "/v2" = "/v2") => {
  const { body } = await at.caller.authenticate({ userId: "ana", ...fields }, version);
  return (await at.harness.store.findTransaction(at.tenantId, String(body["transactionId"])))!;
};

const same = { facial: { was: "Positive", now: "Positive" }, liveness: { was: "Live", now: "Live" } };

describe("a registered user's stored call", () => {
  it("is judged again in both versions, under the same policy and a stricter one", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    for (const version of ["", "/v2"] as const) {
      const bestImageToken = await at.harness.live(selfies[1]);
      const call = await attempt({ registeredTemplateRaw, bestImageToken }, version);
      expect(replay(call, policy)).toEqual(same);
      const strict = under({ liveness: { eyeDistancePxMin: 500 }, comparison: { eyeDistancePxMin: 500 } });
      expect(replay(call, strict)).toMatchObject({
        facial: { now: "NoneBecauseInvalidExtractions" },
        liveness: { now: "NoneBecauseFaceTooSmall" },
      });
    }
  });

  it("is judged again for an impostor, and for an attack", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const other = await attempt({ registeredTemplateRaw, bestImageToken: await at.harness.live(impostor) });
    expect(replay(other, policy)?.facial).toEqual({ was: "Negative", now: "Negative" });
    const screen = await at.harness.seal("best-image", await recaptured(at.harness.engine, selfies[1]));
    const attack = await attempt({ registeredTemplateRaw, bestImageToken: screen });
    expect(replay(attack, policy)?.liveness).toEqual({ was: "NoLive", now: "NoLive" });
    const copy = await attempt({ registeredTemplateRaw, bestImageToken: await at.harness.live(portrait) });
    expect(replay(copy, policy)?.liveness).toEqual({ was: "NoLive", now: "NoLive" });
  });

  it("gives the facial result with a reference image only for the enrolment itself", async () => {
    const fields = async (selfie: string) => ({
      image: image(portrait),
      bestImageToken: await at.harness.live(selfie),
    });
    const first = await attempt(await fields(selfies[0]));
    expect(replay(first, policy)).toEqual(same);
    const strict = under({ comparison: { eyeDistancePxMin: 500 } });
    expect(replay(first, strict)?.facial?.now).toBe("NoneBecauseInvalidExtractions");
    const later = await attempt(await fields(selfies[1]));
    expect(replay(later, policy)).toEqual({ ...same, facial: { was: "Positive", now: "unknown" } });
  });

  it("stays unjudged without an image, or with a reference of another person", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const unseen = await attempt({ registeredTemplateRaw, template: await at.harness.token(selfies[1]) });
    const none = { was: "None", now: "None" };
    expect(replay(unseen, policy)).toEqual({ ...same, liveness: none });
    for (const reference of [
      { registeredTemplateRaw: await at.harness.token(impostor) },
      { image: image(impostor) },
    ]) {
      const foreign = await attempt({ ...reference, bestImageToken: await at.harness.live(selfies[2]) });
      expect(replay(foreign, policy)).toEqual({ facial: none, liveness: none });
      // A reference that the new policy would accept leads to a comparison that was never made.
      const measurements = JSON.parse(JSON.stringify(foreign.measurements));
      measurements.reference.score = 20;
      expect(replay({ ...foreign, measurements }, policy)?.liveness).toEqual({ was: "None", now: "unknown" });
    }
  });

  it("uses the score of a shadow network", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const call = await attempt({ registeredTemplateRaw, bestImageToken: await at.harness.live(selfies[1]) });
    const live = { live: 0.001, models: { "small@1": "ab".repeat(32) } };
    const measurements = JSON.parse(JSON.stringify(call.measurements));
    measurements.pictures[0].shadow = live;
    const again = replay({ ...call, measurements }, policy, shadowOf("small"));
    expect(again?.liveness).toEqual({ was: "Live", now: "NoLive" });
  });
});
