import { describe, expect, it } from "vitest";
import { type Candidate, shareSlots } from "./share-slots.ts";

const candidate = (destinationId: string, change: Partial<Candidate> = {}): Candidate => ({
  tenantId: "tenant",
  destinationId,
  inFlight: 0,
  inFlightMax: 8,
  isProbe: false,
  ...change,
});

const slotsOf = (candidates: readonly Candidate[], limit: number) =>
  Object.fromEntries(shareSlots(candidates, limit).map(({ destinationId, slots }) => [destinationId, slots]));

describe("free slots", () => {
  it("go around among destinations", () => {
    expect(slotsOf([candidate("a"), candidate("b"), candidate("c")], 7)).toEqual({ a: 3, b: 2, c: 2 });
  });

  it("never exceed what a destination may have in flight", () => {
    expect(
      slotsOf([candidate("a", { inFlight: 7 }), candidate("b", { inFlight: 8 }), candidate("c")], 20),
    ).toEqual({
      a: 1,
      c: 8,
    });
    expect(slotsOf([candidate("a", { inFlight: 9 })], 20)).toEqual({});
  });

  it("give a destination with an open breaker one, the probe", () => {
    expect(slotsOf([candidate("a", { isProbe: true, inFlight: 8 }), candidate("b")], 3)).toEqual({
      a: 1,
      b: 2,
    });
  });

  it("go to the first destinations if there are few", () => {
    expect(slotsOf([candidate("a"), candidate("b")], 1)).toEqual({ a: 1 });
  });
});
