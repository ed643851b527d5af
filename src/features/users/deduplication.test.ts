import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import {
  candidatesMax,
  describeCandidate,
  type EnrolmentCandidate,
  makeDeduplication,
  matchedIdsOf,
} from "./deduplication.ts";
import type { SearchPolicy } from "./policy.ts";
import type { Match, SearchAnswer, SearchFaces } from "./search-faces.ts";
import type { FaceList } from "./store/face-list.ts";

const caller = { tenantId: "t", environment: "test" } as const;
const call = (signal = new AbortController().signal) => ({ caller, signal });

/** A deduplication that refuses duplicates. Its searches wait until the gate opens and then find no match. */
const behindGate = () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const searchFaces: SearchFaces = async (list) => {
    await gate;
    return { list, size: 0, missing: 0, scoreMin: 3, sureScoreMin: 4, matches: [], searchedAt: 1 };
  };
  const policy = { duplicates: "refuse", fpir: { review: 0.1, refusal: 0.01 } } as const;
  return { open, ...makeDeduplication({ searchFaces, policy }) };
};

/** A weak reference holds its target until the present task ends. */
const collectGarbage = async () => {
  setFlagsFromString("--expose-gc");
  await setImmediate();
  runInNewContext("gc")();
};

describe("enrolment candidates when duplicates are refused", () => {
  it.each(["while it waits", "during the search"])(
    "are not enrolled after their call has ended %s",
    async (when) => {
      const { deduplicate, open } = behindGate();
      const ending = new AbortController();
      const before =
        when === "while it waits" ? [deduplicate(call(), [new Uint8Array()], async () => "before")] : [];
      let isEnrolled = false;
      const late = deduplicate(call(ending.signal), [new Uint8Array()], async () => {
        isEnrolled = true;
      });
      const next = deduplicate(call(), [new Uint8Array()], async () => "next");
      ending.abort(new Failure("timed_out"));
      open();
      await expect(late).rejects.toMatchObject({ code: "timed_out" });
      expect(isEnrolled).toBe(false);
      expect(await Promise.all([...before, next])).toContain("next");
    },
  );

  it("fail with engine_busy while too many wait", async () => {
    const { deduplicate, open } = behindGate();
    const one = () => deduplicate(call(), [new Uint8Array()], async () => "enrolled");
    const all = Array.from({ length: candidatesMax }, one);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    expect(await Promise.all(all)).toHaveLength(candidatesMax);
    expect(await one()).toBe("enrolled");
  });

  it("give their place to others if their call ends while they wait", async () => {
    const { deduplicate, open } = behindGate();
    const one = (signal?: AbortSignal) =>
      deduplicate(call(signal), [new Uint8Array()], async () => "enrolled");
    const ending = new AbortController();
    const staying = Array.from({ length: candidatesMax - 1 }, () => one());
    const gone = one(ending.signal);
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    ending.abort(new Failure("timed_out"));
    const late = one();
    await expect(one()).rejects.toMatchObject({ code: "engine_busy" });
    open();
    await expect(gone).rejects.toMatchObject({ code: "timed_out" });
    expect(await Promise.all([...staying, late])).toHaveLength(candidatesMax);
  });

  it("leave no template in memory if their call ends while they wait", async () => {
    const { deduplicate, open } = behindGate();
    const ending = new AbortController();
    const atWork = deduplicate(call(), [new Uint8Array()], async () => "enrolled");
    const waiting = () => {
      const template = new Uint8Array(1024);
      const gone = deduplicate(call(ending.signal), [template], async () => template.length);
      return { gone, kept: new WeakRef(template) };
    };
    const { gone, kept } = waiting();
    ending.abort(new Failure("timed_out"));
    await expect(gone).rejects.toMatchObject({ code: "timed_out" });
    await collectGarbage();
    expect(kept.deref()).toBeUndefined();
    open();
    expect(await atWork).toBe("enrolled");
  });
});

const matchOf = (id: string, isSure: boolean, score = 4): Match => ({ id, score, isSure });
const nothing: Omit<SearchAnswer, "list"> = {
  size: 9,
  missing: 0,
  scoreMin: 3,
  sureScoreMin: 4,
  matches: [],
  searchedAt: 7,
};

/** What a search of each list answers; an error is what it fails with. */
type Answers = Readonly<Partial<Record<FaceList, Partial<SearchAnswer> | Error>>>;

/** The candidate that is handed over to be enrolled, and the lists that were searched for it. */
const searchedBy = async (
  duplicates: SearchPolicy["duplicates"],
  answersOf: (template: Uint8Array) => Answers,
  { own, templates = [Uint8Array.of(0)] }: { own?: string; templates?: readonly Uint8Array[] } = {},
): Promise<{ readonly candidate: EnrolmentCandidate; readonly lists: readonly FaceList[] }> => {
  const lists: FaceList[] = [];
  const searchFaces: SearchFaces = async (list, _owner, template) => {
    lists.push(list);
    const answer = answersOf(template)[list];
    if (answer instanceof Error) throw answer;
    return { list, ...nothing, ...answer };
  };
  const { deduplicate } = makeDeduplication({
    searchFaces,
    policy: { duplicates, fpir: { review: 0.1, refusal: 0.01 } },
  });
  return { candidate: await deduplicate(call(), templates, async (one) => one, own), lists };
};
const refusalOf = async (duplicates: SearchPolicy["duplicates"], answers: Answers, own?: string) =>
  (await searchedBy(duplicates, () => answers, own === undefined ? {} : { own })).candidate.refusal;
const sure = { matches: [matchOf("a", true)] };
const possible = { matches: [matchOf("a", false)] };
const early = new Failure("search_unavailable");

describe("the searches for an enrolment candidate", () => {
  it.each([
    ["off", { people: sure }, undefined],
    ["flag", { people: sure }, undefined],
    ["refuse", { people: sure }, "ALREADY_REGISTERED"],
    ["refuse", { people: possible }, undefined],
    ["refuse", {}, undefined],
    ["off", { blocked: sure }, "BLACKLISTED_FACE_TEMPLATE"],
    ["flag", { blocked: sure }, "BLACKLISTED_FACE_TEMPLATE"],
    ["refuse", { blocked: sure, people: sure }, "BLACKLISTED_FACE_TEMPLATE"],
    ["off", { blocked: possible }, undefined],
  ] as const)("under %s, of %j, refuse with %s", async (duplicates, answers, refusal) => {
    expect(await refusalOf(duplicates, answers)).toBe(refusal);
  });

  it("look among the users only where the policy asks for it, and among the blocked faces always", async () => {
    for (const [duplicates, searched] of [
      ["off", ["blocked"]],
      ["flag", ["blocked", "people"]],
      ["refuse", ["blocked", "people"]],
    ] as const) {
      const { candidate, lists } = await searchedBy(duplicates, () => ({}));
      expect([lists, candidate.searches.map(({ list }) => list)]).toEqual([searched, searched]);
      expect(candidate.unsearched).toEqual([]);
    }
  });

  it.each([
    ["off", "blocked"],
    ["flag", "blocked"],
    ["refuse", "blocked"],
    ["refuse", "people"],
  ] as const)(
    "under %s, stop the enrolment if a face of the list %s was not compared",
    async (duplicates, list) => {
      await expect(refusalOf(duplicates, { [list]: { missing: 1 } })).rejects.toMatchObject(early);
      await expect(refusalOf(duplicates, { [list]: early })).rejects.toBe(early);
      expect(await refusalOf(duplicates, { [list]: { missing: 1, ...sure } })).toBeDefined();
      expect(await refusalOf(duplicates, { [list]: { missing: 1 } }, "own")).toBeUndefined();
    },
  );

  it("that flag go on without the users, and state that these were not searched", async () => {
    for (const people of [early, { missing: 1 }]) {
      const { candidate } = await searchedBy("flag", () => ({ people }));
      expect([candidate.refusal, candidate.unsearched]).toEqual([undefined, ["people"]]);
    }
    const broken = new Error("broken");
    await expect(refusalOf("flag", { people: broken })).rejects.toBe(broken);
    const busy = new Failure("engine_busy");
    await expect(refusalOf("flag", { people: busy })).rejects.toBe(busy);
  });

  it("do not find the user whose template is replaced", async () => {
    expect(await refusalOf("refuse", { people: sure }, "a")).toBeUndefined();
    expect(await refusalOf("refuse", { people: sure }, "b")).toBe("ALREADY_REGISTERED");
  });

  it("name the oldest position of the evidence that any of them saw, only where duplicates are refused", async () => {
    const answersOf = ([at = 0]: Uint8Array) => ({
      people: { searchedAt: 5 + at },
      blocked: { searchedAt: 9 - at },
    });
    const templates = [Uint8Array.of(0), Uint8Array.of(1), Uint8Array.of(6)];
    const searchedAt = async (duplicates: "flag" | "refuse") =>
      (await searchedBy(duplicates, answersOf, { templates })).candidate.searchedAt;
    expect([await searchedAt("refuse"), await searchedAt("flag")]).toEqual([3, undefined]);
  });

  it("join the matches of all templates: each once with its highest score, ten at most", async () => {
    const ids = Array.from({ length: 11 }, (_, n) => `id ${n}`);
    const answersOf = ([at = 0]: Uint8Array) => ({
      people: { matches: ids.map((id, n) => matchOf(id, at === 1, 20 - n - 2 * at)) },
    });
    const templates = [Uint8Array.of(1), Uint8Array.of(0)];
    const { candidate } = await searchedBy("flag", answersOf, { templates });
    const matches = candidate.searches.find(({ list }) => list === "people")?.matches;
    expect(matches).toEqual(ids.slice(0, 10).map((id, n) => matchOf(id, false, 20 - n)));
    expect(matchedIdsOf(candidate)).toEqual({ alike: ids.slice(0, 10) });
  });

  it("are recorded without those of an empty list, and name no id without a match", async () => {
    const { candidate } = await searchedBy("flag", () => ({ blocked: { size: 0 }, people: { size: 1 } }));
    expect(describeCandidate(candidate)).toMatchObject({ searches: [{ list: "people" }], unsearched: [] });
    expect(matchedIdsOf(candidate)).toEqual({});
  });
});
