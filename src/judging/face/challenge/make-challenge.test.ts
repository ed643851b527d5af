import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { makeChallenge, turnOrders } from "./make-challenge.ts";

const now = new Date("2026-11-25T10:00:00.000Z");

it("asks for two different directions, begins within two minutes and ends within 40 seconds", () => {
  const challenge = makeChallenge(randomBytes, now);
  expect(challenge).toMatchObject({
    issuedAt: now.toISOString(),
    expiresAt: "2026-11-25T10:02:00.000Z",
    finishMs: 40_000,
  });
  expect(challenge.id).toMatch(/^[\w-]{22}$/);
  expect(challenge.steps).toHaveLength(2);
  expect(makeChallenge(randomBytes, now).id).not.toBe(challenge.id);
});

it("gives people who need it twice the time", () => {
  expect(makeChallenge(randomBytes, now, { doublesTime: true })).toMatchObject({
    expiresAt: "2026-11-25T10:04:00.000Z",
    finishMs: 80_000,
  });
});

it("asks for a turn to a side in every order, so that no mirrored capture answers it", () => {
  const mirrored = { left: "right", right: "left", up: "up", down: "down" } as const;
  for (const [first, second] of turnOrders) {
    expect([mirrored[first], mirrored[second]]).not.toEqual([first, second]);
  }
});

it("has ten orders of the same probability", () => {
  expect(turnOrders).toHaveLength(10);
  expect(turnOrders.every(([first, second]) => first !== second)).toBe(true);
  // Each byte once: 25 bytes lead to each order, and 6 are drawn again.
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte++) {
    let isFirst = true;
    let isDrawnAgain = false;
    const random = (bytes: number): Uint8Array => {
      if (bytes !== 1) return new Uint8Array(bytes);
      isDrawnAgain = !isFirst;
      const value = isFirst ? byte : 0;
      isFirst = false;
      return new Uint8Array([value]);
    };
    const order = makeChallenge(random, now)
      .steps.map(({ turn }) => turn)
      .join(" ");
    if (!isDrawnAgain) counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect([...counts.values()]).toEqual(Array.from({ length: 10 }, () => 25));
});
