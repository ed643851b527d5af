import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { justAbove, justBelow } from "#support/contract/statistics/thresholds";
import { measuredFalseMatches, scoreForGallery } from "./gallery-threshold.ts";
import { defaultUserPolicy } from "./policy.ts";
import { makeSearchFaces, type SearchDeps } from "./search-faces.ts";

type ListOptions = {
  /** Runs between two gallery searches. */
  readonly meanwhile?: (listed: string[]) => void;
  readonly scoreFor?: SearchDeps["scoreFor"];
  /** The bound of a face in the gallery. */
  readonly scoreMaxOf?: (id: string) => number;
  readonly pseudonymOf?: (id: string) => string | undefined;
  readonly requireSameThread?: () => void;
};

/** A list of faces in the order of their bounds. */
const listOf = (
  ids: readonly string[],
  scoreOf: (id: string) => number,
  {
    meanwhile = () => undefined,
    scoreFor = () => 3,
    scoreMaxOf = () => 9,
    pseudonymOf = () => undefined,
    requireSameThread = () => undefined,
  }: ListOptions = {},
) => {
  const asked: (readonly string[])[] = [];
  const limits: number[] = [];
  const listed = [...ids];
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
        if (limits.length > 0) meanwhile(listed);
        limits.push(limit);
        const candidates = listed.slice(0, limit).map((id) => ({ id, scoreMax: scoreMaxOf(id) }));
        return { candidates, total: listed.length };
      },
    },
    follower: { catchUp: async () => ({ seq: 1, requireSameThread }) },
    store: {
      findFaces: async (_list, tenantId, wanted) => {
        asked.push(wanted);
        return wanted.map((id) => {
          const pseudonym = pseudonymOf(id);
          const sealedTemplate = new Uint8Array(Buffer.from(id));
          const environment = "test" as const;
          const face = { ...sealed, id, tenantId, environment, sealedTemplate, at: new Date(0) };
          return { ...face, ...(pseudonym !== undefined && { pseudonym }) };
        });
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
  return { asked, limits, search: makeSearchFaces(deps) };
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
    const { search, asked } = listOf(namesOf(300), () => 2, { meanwhile });
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

describe("the end of a search", () => {
  const numberOf = (id: string): number => Number(id.slice(5));
  /** Ten faces with an exact score, and bounds that fall to `next` at the last of the first 32 candidates. */
  const limitsWith = async (tenth: number, next: number, matches = 10): Promise<readonly number[]> => {
    const { search, limits } = listOf(
      namesOf(200),
      (id) => (numberOf(id) < matches - 1 ? 6 : numberOf(id) === matches - 1 ? tenth : 2),
      { scoreMaxOf: (id) => (numberOf(id) < 31 ? 9 : next) },
    );
    await search("people", owner, new Uint8Array());
    return limits;
  };

  it.each([
    ["at", 5, 5, [32]],
    ["just above", justAbove(5), 5, [32]],
    ["just below", justBelow(5), 5, [32, 128, 512]],
  ])("comes when the tenth match is %s the next bound, if at all", async (_, tenth, next, limits) => {
    expect(await limitsWith(tenth, next)).toEqual(limits);
  });

  it("does not come with nine matches above the next bound", async () => {
    expect(await limitsWith(6, 5, 9)).toEqual([32, 128, 512]);
  });

  it.each([
    [0, []],
    [32, [32]],
    [33, [32, 128]],
  ])("comes with the last of %d candidates", async (count, expected) => {
    const { search, limits } = listOf(namesOf(count), () => 2);
    await search("people", owner, new Uint8Array());
    expect(limits).toEqual(expected);
  });

  it("is a failure where the gallery's thread began anew meanwhile", async () => {
    const requireSameThread = (): void => {
      throw new Failure("overloaded");
    };
    const { search } = listOf(namesOf(3), () => 5, { requireSameThread });
    await expect(search("people", owner, new Uint8Array())).rejects.toMatchObject({ code: "overloaded" });
  });
});

describe("a match of a search", () => {
  it("names the user's pseudonym where the face has one", async () => {
    const pseudonymOf = (id: string) => (id === "face-1" ? "p-1" : undefined);
    const { search } = listOf(namesOf(2), (id) => 4 + Number(id.slice(5)), { pseudonymOf });
    const { matches } = await search("people", owner, new Uint8Array());
    expect(matches).toEqual([
      { id: "face-1", score: 5, isSure: true, pseudonym: "p-1" },
      { id: "face-0", score: 4, isSure: true },
    ]);
  });

  const { review, refusal } = defaultUserPolicy.search.fpir;
  const scoreFor = (size: number, fpir: number): number =>
    scoreForGallery(measuredFalseMatches, { size, fpir, scoreMin: 3 });
  const size = 10_000;
  const answerAt = async (score: number) => {
    const { search } = listOf(namesOf(size), (id) => (id === "face-7" ? score : 0), { scoreFor });
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
