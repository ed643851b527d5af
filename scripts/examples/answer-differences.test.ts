import { describe, expect, it } from "vitest";
import { differencesOf } from "./answer-differences.ts";

const answer = {
  timestamp: "2026-11-21T09:30:00.000Z",
  serviceResultCode: 0,
  serviceFacialSimilarityResult: 0.97,
  serviceResult: '{"age":34,"decision":"Credible"}',
  reviews: [{ scanReference: "a", isMine: false, codes: [507] }],
};

describe("two answers to one example", () => {
  it("agree apart from ids, times and small differences of measurements", () => {
    const other = {
      ...answer,
      timestamp: "2027-01-01T00:00:00.000Z",
      serviceFacialSimilarityResult: 0.96,
      serviceResult: '{"age":35,"decision":"Credible"}',
      reviews: [{ scanReference: "b", isMine: false, codes: [507] }],
    };
    expect(differencesOf(answer, other)).toEqual([]);
  });

  it("agree where a link to an image or the operation of a test event differs, and nothing else of them", () => {
    const link = (host: string) => ({ url: `${host}/assets/1?expires=2&signature=3` });
    expect(differencesOf(link("http://a"), link("http://b"))).toEqual([]);
    expect(differencesOf(link("http://a"), { url: "http://a" })).toHaveLength(1);
    const page = (session: string, token: string) => ({
      url: `http://a/capture/${session}#idem_capture_${token}`,
    });
    const test = (name: string) => ({ operationId: `test-${name}` });
    const ids = ["0f8fad5b-d9cb-469f-a165-70867728950e", "6f1c2a34-9c9e-4f0e-8c9a-0d7d4d1e2b3a"] as const;
    expect(differencesOf(test(ids[0]), test(ids[1]))).toEqual([]);
    expect(differencesOf(test(ids[0]), test("4711"))).toHaveLength(1);
    expect(differencesOf(page(ids[0], "a"), page(ids[1], "b"))).toEqual([]);
    expect(differencesOf(page(ids[0], "a"), page("session", "b"))).toHaveLength(1);
  });

  it.each([
    ["a PDF", "JVBERi0xLjcK", "JVBERi0xLjcKMSAw", "a text"],
    ["a moment", "2026-11-21T09:30:00.000Z", "2036-01-01T00:00:00.000Z", "2026-11-21"],
    [
      "the reason of a signature",
      "Autenticacion facial; tx=1",
      "Autenticacion facial; tx=2",
      "Autenticacion documental; tx=1",
    ],
  ])("agree where %s differs, and not where another text stands there", (_, one, same, other) => {
    expect(differencesOf({ value: one }, { value: same })).toEqual([]);
    expect(differencesOf({ value: one }, { value: other })).toHaveLength(1);
    expect(differencesOf({ value: one }, { value: null })).toHaveLength(1);
  });

  it.each([
    [{ age: 34 }, { age: 37 }, { age: 38 }],
    [{ x: 100 }, { x: 97 }, { x: 96 }],
    [{ iod: 90.5 }, { iod: 93.5 }, { iod: 93.6 }],
    [{ similarity: 0.9 }, { similarity: 0.86 }, { similarity: 0.84 }],
  ])("have a tolerance of measurements: %j is near %j, and not %j", (stated, near, far) => {
    expect(differencesOf(stated, near)).toEqual([]);
    expect(differencesOf(stated, far)).toHaveLength(1);
  });

  it("have none of whole numbers that are no measurements", () => {
    expect(differencesOf({ code: 507 }, { code: 508 })).toHaveLength(1);
  });

  it.each([
    [{ serviceResultCode: 1 }, "/serviceResultCode: 0, answered 1"],
    [{ serviceFacialSimilarityResult: 0.8 }, "/serviceFacialSimilarityResult: 0.97, answered 0.8"],
    [
      { serviceResult: '{"age":34,"decision":"Spoof"}' },
      '/serviceResult/decision: "Credible", answered "Spoof"',
    ],
    [{ reviews: [{ isMine: false, codes: [508] }] }, "/reviews/0/codes/0: 507, answered 508"],
    [{ reviews: [] }, '/reviews/0: {"scanReference":"a","isMine":false,"codes":[507]}, answered absent'],
    [{ outcome: "approved" }, '/outcome: absent, answered "approved"'],
  ])("differ where a value does: %j", (change, difference) => {
    expect(differencesOf(answer, { ...answer, ...change })).toEqual([difference]);
  });
});
