import { describe, expect, it } from "vitest";
import { placesOf } from "#support/face/challenge/captures";
import type { Challenge } from "./challenge.ts";
import type { FrameHead } from "./container.ts";
import { judgeSequence } from "./judge-sequence.ts";
import { defaultChallengePolicy } from "./policy.ts";

const { sequence: policy } = defaultChallengePolicy;
const id = "a".repeat(22);
const challenge: Challenge = {
  id,
  issuedAt: "2026-11-25T10:00:00.000Z",
  expiresAt: "2026-11-25T10:02:00.000Z",
  finishMs: 40_000,
  steps: [{ turn: "left" }, { turn: "up" }],
};
const soon = new Date("2026-11-25T10:00:30.000Z");
const key = { kty: "EC", crv: "P-256", x: "x", y: "y" } as const;
const framesOf = (count: number) => Array.from({ length: count }, (_, i) => new Uint8Array([1, 2, i]));

const judge = (
  places: readonly FrameHead[],
  {
    at = soon,
    frames = framesOf(places.length),
    named = id,
  }: {
    readonly at?: Date;
    readonly frames?: readonly Uint8Array[];
    readonly named?: string;
  } = {},
) => judgeSequence({ head: { challenge: named, key, frames: places }, frames }, challenge, at, policy).reason;

const sound = placesOf(2);
/** The capture with one frame changed. */
const changed = (at: number, change: Partial<FrameHead>) =>
  sound.map((place, i) => (i === at ? { ...place, ...change } : place));

describe("a capture of a challenge", () => {
  it("holds with best image, and six frames of each step in order", () => {
    expect(judge(sound)).toBeUndefined();
  });

  it("answers this challenge alone, in its time by the service's clock", () => {
    expect(judge(sound, { named: "b".repeat(22) })).toBe("challenge");
    expect(judge(sound, { named: "" })).toBe("challenge");
    const end = Date.parse(challenge.expiresAt) + challenge.finishMs + policy.arrivalMsMax;
    expect(judge(sound, { at: new Date(end) })).toBeUndefined();
    expect(judge(sound, { at: new Date(end + 1) })).toBe("challenge");
    expect(judge(sound, { at: new Date(Date.parse(challenge.issuedAt) - 1) })).toBe("challenge");
  });

  it("has no frame too few, too many, twice or at another place", () => {
    expect(judge(sound.slice(0, -1))).toBe("sequence");
    expect(judge([...sound, { step: 1, index: 6, capturedMs: 5000 }])).toBe("sequence");
    expect(judge(changed(3, { step: 1 }))).toBe("sequence");
    expect(judge(changed(3, { index: 1 }))).toBe("sequence");
    expect(judge(placesOf(1))).toBe("sequence");
    expect(judge(placesOf(0))).toBe("sequence");
  });

  it.each([
    [policy.intervalMsMin, undefined],
    [policy.intervalMsMin - 1, "sequence"],
    [policy.intervalMsMax, undefined],
    [policy.intervalMsMax + 1, "sequence"],
    [0, "sequence"],
  ])("with %d ms between neighbours of a step: %s", (interval, reason) => {
    const places = sound.map((place) =>
      place.step === 1 ? { ...place, capturedMs: 4000 + interval * place.index } : place,
    );
    expect(judge(places)).toBe(reason);
  });

  it("takes no longer than its challenge allows, and its times do not run backwards", () => {
    const late = (ms: number) =>
      sound.map((place) =>
        place.step === 1 ? { ...place, capturedMs: ms - 600 + 120 * place.index } : place,
      );
    const at = new Date(Date.parse(challenge.issuedAt) + 60_000);
    expect(judge(late(challenge.finishMs), { at })).toBeUndefined();
    expect(judge(late(challenge.finishMs + 1), { at })).toBe("sequence");
    expect(judge(changed(0, { capturedMs: 1001 }))).toBe("sequence");
  });

  it("states no more time than passed on the service since the challenge was made", () => {
    const spanMs = sound.at(-1)!.capturedMs;
    const after = (ms: number) => ({ at: new Date(Date.parse(challenge.issuedAt) + ms) });
    expect(judge(sound, after(spanMs - policy.clockMsMax))).toBeUndefined();
    expect(judge(sound, after(spanMs - policy.clockMsMax - 1))).toBe("sequence");
  });

  it("takes as long as a person needs, by the service's clock", () => {
    const quick = sound.map((place) => ({
      ...place,
      capturedMs: place.step < 0 ? 0 : 100 + 900 * place.step + 60 * place.index,
    }));
    const after = (ms: number) => ({ at: new Date(Date.parse(challenge.issuedAt) + ms) });
    expect(judge(quick, after(policy.answerMsMin))).toBeUndefined();
    expect(judge(quick, after(policy.answerMsMin - 1))).toBe("sequence");
  });

  it("leaves the head time to turn back between its steps", () => {
    const [end] = sound.filter(({ step }) => step === 0).toReversed();
    const next = (gap: number) =>
      sound.map((place) =>
        place.step === 1 ? { ...place, capturedMs: end!.capturedMs + gap + 120 * place.index } : place,
      );
    expect(judge(next(policy.turnBackMsMin))).toBeUndefined();
    expect(judge(next(policy.turnBackMsMin - 1))).toBe("sequence");
  });

  it("has each frame at a time of its own", () => {
    expect(judge(changed(0, { capturedMs: 999 }))).toBeUndefined();
    expect(judge(changed(0, { capturedMs: 1_000 }))).toBe("sequence");
  });

  it("has no two frames of the same bytes, wherever they stand", () => {
    const frames = framesOf(sound.length);
    expect(judge(sound, { frames: [...frames.slice(0, -1), frames[0]!] })).toBe("sequence");
  });
});

describe("a capture without a challenge", () => {
  const passive = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ step: -1, index, capturedMs: 300 * index }));

  it("has the best image and up to three others, and names no challenge", () => {
    for (const count of [1, 4]) {
      expect(
        judgeSequence(
          { head: { challenge: "", key, frames: passive(count) }, frames: framesOf(count) },
          undefined,
          soon,
          policy,
        ).reason,
      ).toBeUndefined();
    }
    const of = (named: string, places: readonly FrameHead[]) =>
      judgeSequence(
        { head: { challenge: named, key, frames: places }, frames: framesOf(places.length) },
        undefined,
        soon,
        policy,
      ).reason;
    expect(of(id, passive(1))).toBe("challenge");
    expect(of("", passive(5))).toBe("sequence");
    expect(of("", sound)).toBe("sequence");
    const span = (ms: number) => [
      { step: -1, index: 0, capturedMs: 0 },
      { step: -1, index: 1, capturedMs: ms },
    ];
    expect(of("", span(policy.passiveSpanMsMax))).toBeUndefined();
    expect(of("", span(policy.passiveSpanMsMax + 1))).toBe("sequence");
  });
});
