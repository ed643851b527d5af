import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { justAbove, justBelow } from "#statistics/testing/thresholds";
import { measuredFalseMatches, scoreForGallery } from "./gallery-threshold.ts";
import { defaultUserPolicy } from "./policy.ts";
import { makeSearchFaces, type SearchDeps } from "./search-faces.ts";

/** A list of faces in the order of their bounds; `meanwhile` runs between two gallery searches. */
const listOf = (
  ids: readonly string[],
  scoreOf: (id: string) => number,
  meanwhile: (listed: string[]) => void = () => undefined,
  scoreFor: SearchDeps["scoreFor"] = () => 3,
) => {
  const asked: (readonly string[])[] = [];
  let [listed, searches] = [[...ids], 0];
  const sealed = {
    keyId: "",
    dataKeyId: "",
    recogniser: "",
    wrappedKey: new Uint8Array(),
    sealedTransform: new Uint8Array(),
  };
  const deps: SearchDeps = {
    gallery: {
      size: () => listed.length,
      missing: () => 0,
      search: async (_name, _probe, _scoreMin, limit) => {
        if (searches++ > 0) meanwhile(listed);
        return {
          candidates: listed.slice(0, limit).map((id) => ({ id, scoreMax: 9 })),
          total: listed.length,
        };
      },
    },
    follower: { catchUp: async () => ({ seq: 1, requireSameThread: () => undefined }) },
    galleryName: () => "people",
    store: {
      findFaces: async (_list, tenantId, wanted) => {
        asked.push(wanted);
        return wanted.map((id) => ({
          ...sealed,
          id,
          tenantId,
          environment: "test",
          sealedTemplate: new Uint8Array(Buffer.from(id)),
          at: new Date(0),
        }));
      },
    },
    vault: { open: async ({ sealedTemplate }) => sealedTemplate },
    face: {
      compare: (kept) => {
        const id = "template" in kept ? Buffer.from(kept.template ?? []).toString() : "";
        const comparison = { score: scoreOf(id), similarity: 0, falseMatchRate: 1, cosines: [] };
        return { result: "Negative", comparison };
      },
    },
    policy: { ...defaultUserPolicy.search, duplicates: "refuse" },
    scoreFor,
  };
  return { asked, search: makeSearchFaces(deps) };
};

const owner = { tenantId: "t", environment: "test" } as const;
const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `face-${n}`);

describe("a search with many candidates", () => {
  it("reads at most a thousand faces from the store at once, and compares each once", async () => {
    const { search, asked } = listOf(namesOf(5000), () => 2);
    expect(await search("people", owner, new Uint8Array())).toMatchObject({ size: 5000, matches: [] });
    expect(Math.max(...asked.map(({ length }) => length))).toBe(1000);
    expect(asked.flat()).toStrictEqual(namesOf(5000));
  });

  it.each([
    ["is removed", (listed: string[]) => void listed.shift()],
    ["is added", (listed: string[]) => void listed.unshift(`late-${listed.length}`)],
  ])("compares every face once even if a face %s between two searches", async (_, meanwhile) => {
    const { search, asked } = listOf(namesOf(300), () => 2, meanwhile);
    await search("people", owner, new Uint8Array());
    expect(new Set(asked.flat()).size).toBe(asked.flat().length);
    expect(asked.flat()).toEqual(expect.arrayContaining(namesOf(300).slice(2)));
  });

  it("ends when its call ends", async () => {
    const ending = new AbortController();
    const { search, asked } = listOf(namesOf(5000), () => {
      ending.abort(new Failure("timed_out"));
      return 2;
    });
    await expect(search("people", owner, new Uint8Array(), ending.signal)).rejects.toMatchObject({
      code: "timed_out",
    });
    expect(asked).toHaveLength(1);
  });
});

describe("a match of a search", () => {
  const { review, refusal } = defaultUserPolicy.search.fpir;
  const scoreFor = (size: number, fpir: number): number =>
    scoreForGallery(measuredFalseMatches, { size, fpir, scoreMin: 3 });
  const size = 10_000;
  const answerAt = async (score: number) => {
    const { search } = listOf(namesOf(size), (id) => (id === "face-7" ? score : 0), undefined, scoreFor);
    const { matches } = await search("people", owner, new Uint8Array());
    return matches.map(({ id, isSure }) => [id, isSure]);
  };

  it.each([
    ["is for a reviewer", review, [[], [["face-7", false]], [["face-7", false]]]],
    ["refuses", refusal, [[["face-7", false]], [["face-7", true]], [["face-7", true]]]],
  ] as const)("%s from the score of its rate: just below, at and just above", async (_, fpir, answers) => {
    const score = scoreFor(size, fpir);
    expect(score).toBeGreaterThan(3);
    const found = [justBelow(score), score, justAbove(score)].map(answerAt);
    expect(await Promise.all(found)).toEqual(answers);
  });

  it("is returned with the highest score first, ten at most", async () => {
    const { search } = listOf(namesOf(50), (id) => 4 + Number(id.slice(5)) / 100);
    const { matches } = await search("people", owner, new Uint8Array());
    expect(matches.map(({ id }) => id)).toEqual(Array.from({ length: 10 }, (_, n) => `face-${49 - n}`));
  });
});
