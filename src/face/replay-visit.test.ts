import { describe, expect, it } from "vitest";
import { portrait, selfies, stranger, usePeopleHouse } from "../people/testing/people-house.ts";
import { defaultFacePolicy as policy } from "./policy.ts";
import { changePolicy } from "./policy-file.ts";
import { replay, shadowOf } from "./replay.ts";
import { pictureOf, recaptured } from "./testing/pictures.ts";

const at = usePeopleHouse();
const under = (change: object) => changePolicy(policy, JSON.stringify(change), ["1e-2"]);
const image = (name: string) => Buffer.from(pictureOf(name)).toString("base64");

/** The stored call of somebody who claims to be Ana. */
const visit = async (fields: object, version: "" | "/v2" = "/v2") => {
  const { body } = await at.caller.authenticate({ userId: "ana", ...fields }, version);
  return (await at.house.store.findTransaction(at.tenantId, String(body["transactionId"])))!;
};

const same = { facial: { was: "Positive", now: "Positive" }, liveness: { was: "Live", now: "Live" } };

describe("a registered user's stored call", () => {
  it("is judged again in both versions, under the same policy and a stricter one", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    for (const version of ["", "/v2"] as const) {
      const bestImageToken = await at.house.live(selfies[1]);
      const call = await visit({ registeredTemplateRaw, bestImageToken }, version);
      expect(replay(call, policy)).toEqual(same);
      const strict = under({ liveness: { eyeDistancePxMin: 500 }, comparison: { eyeDistancePxMin: 500 } });
      expect(replay(call, strict)).toMatchObject({
        facial: { now: "NoneBecauseInvalidExtractions" },
        liveness: { now: "NoneBecauseFaceTooSmall" },
      });
    }
  });

  it("is judged again for a stranger at the user's door, and for an attack", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const other = await visit({ registeredTemplateRaw, bestImageToken: await at.house.live(stranger) });
    expect(replay(other, policy)?.facial).toEqual({ was: "Negative", now: "Negative" });
    const screen = await at.house.seal("best-image", await recaptured(at.house.engine, selfies[1]));
    const attack = await visit({ registeredTemplateRaw, bestImageToken: screen });
    expect(replay(attack, policy)?.liveness).toEqual({ was: "NoLive", now: "NoLive" });
    const copy = await visit({ registeredTemplateRaw, bestImageToken: await at.house.live(portrait) });
    expect(replay(copy, policy)?.liveness).toEqual({ was: "NoLive", now: "NoLive" });
  });

  it("tells the facial half beside a reference picture only of who was established with it", async () => {
    const fields = async (selfie: string) => ({
      image: image(portrait),
      bestImageToken: await at.house.live(selfie),
    });
    const first = await visit(await fields(selfies[0]));
    expect(replay(first, policy)).toEqual(same);
    const strict = under({ comparison: { eyeDistancePxMin: 500 } });
    expect(replay(first, strict)?.facial?.now).toBe("NoneBecauseInvalidExtractions");
    const later = await visit(await fields(selfies[1]));
    expect(replay(later, policy)).toEqual({ ...same, facial: { was: "Positive", now: "unknown" } });
  });

  it("stays unjudged where no picture was sent, or the reference was somebody else's", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const unseen = await visit({ registeredTemplateRaw, template: await at.house.token(selfies[1]) });
    const none = { was: "None", now: "None" };
    expect(replay(unseen, policy)).toEqual({ ...same, liveness: none });
    for (const reference of [
      { registeredTemplateRaw: await at.house.token(stranger) },
      { image: image(stranger) },
    ]) {
      const foreign = await visit({ ...reference, bestImageToken: await at.house.live(selfies[2]) });
      expect(replay(foreign, policy)).toEqual({ facial: none, liveness: none });
      // A reference that would be taken after all opens what nobody asked then.
      const measurements = JSON.parse(JSON.stringify(foreign.measurements));
      measurements.reference.score = 20;
      expect(replay({ ...foreign, measurements }, policy)?.liveness).toEqual({ was: "None", now: "unknown" });
    }
  });

  it("takes the word of a network that looked on", async () => {
    const registeredTemplateRaw = await at.caller.enrol("ana");
    const call = await visit({ registeredTemplateRaw, bestImageToken: await at.house.live(selfies[1]) });
    const live = { live: 0.001, models: { "small@1": "ab".repeat(32) } };
    const measurements = JSON.parse(JSON.stringify(call.measurements));
    measurements.pictures[0].shadow = live;
    const again = replay({ ...call, measurements }, policy, shadowOf("small"));
    expect(again?.liveness).toEqual({ was: "Live", now: "NoLive" });
  });
});
