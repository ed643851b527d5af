import { describe, expect, it } from "vitest";
import { Failure } from "../contract/failure.ts";
import { makeSearchFaces, type SearchDeps } from "./search-faces.ts";

/** A list of faces in the order of their bounds; `meanwhile` happens between two looks. */
const listOf = (
  ids: readonly string[],
  scoreOf: (id: string) => number,
  meanwhile: (listed: string[]) => void = () => undefined,
) => {
  const asked: (readonly string[])[] = [];
  let [listed, looks] = [[...ids], 0];
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
        if (looks++ > 0) meanwhile(listed);
        return {
          candidates: listed.slice(0, limit).map((id) => ({ id, scoreMax: 9 })),
          total: listed.length,
        };
      },
    },
    follower: { catchUp: async () => ({ seq: 1, requireStill: () => undefined }) },
    galleryName: () => "people",
    store: {
      findFaces: async (_list, tenantId, wanted) => {
        asked.push(wanted);
        return wanted.map((id) => ({
          ...sealed,
          id,
          tenantId,
          world: "test",
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
    policy: { duplicates: "refuse", fpir: { review: 0.1, refusal: 0.01 } },
    scoreFor: () => 3,
  };
  return { asked, search: makeSearchFaces(deps) };
};

const owner = { tenantId: "t", world: "test" } as const;
const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `face-${n}`);

describe("a search with many candidates", () => {
  it("asks the store for a thousand faces at most at once, and compares each once", async () => {
    const { search, asked } = listOf(namesOf(5000), () => 2);
    expect(await search("people", owner, new Uint8Array())).toMatchObject({ size: 5000, hits: [] });
    expect(Math.max(...asked.map(({ length }) => length))).toBe(1000);
    expect(asked.flat()).toStrictEqual(namesOf(5000));
  });

  it.each([
    ["leaves", (listed: string[]) => void listed.shift()],
    ["comes", (listed: string[]) => void listed.unshift(`late-${listed.length}`)],
  ])("compares everybody once also where somebody %s between two looks", async (_, meanwhile) => {
    const { search, asked } = listOf(namesOf(300), () => 2, meanwhile);
    await search("people", owner, new Uint8Array());
    expect(new Set(asked.flat()).size).toBe(asked.flat().length);
    expect(asked.flat()).toEqual(expect.arrayContaining(namesOf(300).slice(2)));
  });

  it("ends where its call has ended", async () => {
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
