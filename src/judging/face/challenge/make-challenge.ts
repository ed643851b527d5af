import { type TurnDirection, turnDirections } from "#contract/capture";
import type { Challenge } from "./challenge.ts";

/** The operator's and the person's choices. */
export type ChallengeSwitches = {
  /** Twice the time, for people who need it (WCAG 2.2, 2.2.1). */
  readonly doublesTime?: boolean;
};

/**
 * Two minutes to read the task and begin, 40 seconds to carry it out. A turn takes two seconds; people who
 * read slowly or use one hand take several tries.
 */
const beginMs = 120_000;
const finishMs = 40_000;

const isToASide = (turn: TurnDirection): boolean => turn === "left" || turn === "right";

/**
 * The ten ordered pairs of different directions in which at least one direction is to a side. A mirrored
 * capture then shows another turn than the one that was asked for. Up and down look the same in a mirror.
 */
export const turnOrders: readonly (readonly [TurnDirection, TurnDirection])[] = turnDirections.flatMap(
  (first) =>
    turnDirections
      .filter((second) => second !== first && (isToASide(first) || isToASide(second)))
      .map((second) => [first, second] as const),
);

/** A fresh challenge. `random` returns that many random bytes. */
export const makeChallenge = (
  random: (bytes: number) => Uint8Array,
  now: Date,
  { doublesTime = false }: ChallengeSwitches = {},
): Challenge => {
  const factor = doublesTime ? 2 : 1;
  return {
    id: Buffer.from(random(16)).toString("base64url"),
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + factor * beginMs).toISOString(),
    finishMs: factor * finishMs,
    steps: drawOrder(random).map((turn) => ({ turn })),
  };
};

/** Bytes beyond the last whole ten are drawn again: each order has the same probability. */
const drawOrder = (random: (bytes: number) => Uint8Array): readonly TurnDirection[] => {
  const limit = 256 - (256 % turnOrders.length);
  for (;;) {
    const byte = random(1)[0]!;
    if (byte < limit) return turnOrders[byte % turnOrders.length]!;
  }
};
