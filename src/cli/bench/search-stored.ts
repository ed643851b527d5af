import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePackFace, openSearchHarness, readFace, scoreOf } from "#app/search-bench";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { say } from "../command.ts";
import { residentMiB, type Times, timeCallers } from "./callers.ts";
import { impostorFrom, knownDistance, seedOf } from "./gallery.ts";

export type StoredFigures = {
  readonly enrolments: number;
  readonly enrolmentsPerSecond: number;
  readonly fillMs: number;
  /** A whole search: gallery thread, then candidates from the store, opened and compared. */
  readonly searches: readonly Times[];
  readonly found: number;
  readonly probes: number;
  readonly wrong: number;
  readonly residentMiB: number;
};

const enrolAtOnce = 64;
const probesOfAKind = 100;
/**
 * Removing a template's protection moves a score by some millionths: a score this near to the threshold may
 * fall on either side.
 */
const scoreRounding = 1e-4;

type Harness = Awaited<ReturnType<typeof openSearchHarness>>;

/**
 * Enrols through a store in a fresh folder, fills the galleries from it, and searches known and unknown
 * faces.
 */
export const measureStored = async (count: number): Promise<StoredFigures> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-search-"));
  const harness = await openSearchHarness(folder);
  try {
    return await measure(harness, count);
  } finally {
    await harness.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const measure = async (harness: Harness, count: number): Promise<StoredFigures> => {
  const draw = makeDrawFace(1);
  const pack = makePackFace();
  say(`Enrolling ${count} users …`);
  const templates = Array.from({ length: count }, (_, n) => pack(draw(seedOf(n))));
  const begin = performance.now();
  const ids = await enrolAll(harness, templates);
  const enrolMs = performance.now() - begin;

  const { search, fillMs } = await fillFromStore(harness);
  const people = templates.map(readFace);
  const probes = Array.from({ length: 2 * probesOfAKind }, (_, n) =>
    pack(n % 2 === 0 ? draw(seedOf(n % count), knownDistance) : draw(seedOf(impostorFrom + n))),
  );
  let [wrong, found] = [0, 0];
  const ask = async (probe: Uint8Array): Promise<void> => {
    const { matches, scoreMin } = await search.searchFaces("people", harness.owner, probe);
    const names = new Set(matches.map(({ id }) => id));
    found += names.size > 0 ? 1 : 0;
    const query = readFace(probe);
    const isMissed = people.some(
      (person, n) => scoreOf(person, query) >= scoreMin + scoreRounding && !names.has(ids[n]!),
    );
    wrong += isMissed ? 1 : 0;
  };
  say("Comparing the answers with exhaustive comparison …");
  for (const probe of probes) await ask(probe);
  const searches: Times[] = [];
  for (const callers of [1, 2]) {
    const once = async (probe: Uint8Array): Promise<void> => {
      await search.searchFaces("people", harness.owner, probe);
    };
    searches.push(await timeCallers(probes, callers, once));
  }
  const resident = residentMiB();
  await search.close();
  return {
    enrolments: count,
    enrolmentsPerSecond: (1000 * count) / enrolMs,
    fillMs,
    searches,
    found,
    probes: probes.length,
    wrong,
    residentMiB: resident,
  };
};

const fillFromStore = async (
  harness: Harness,
): Promise<{ readonly search: ReturnType<Harness["search"]>; readonly fillMs: number }> => {
  say("Filling the galleries from the store …");
  const filled = Promise.withResolvers<object>();
  const begin = performance.now();
  const search = harness.search(filled.resolve);
  await filled.promise;
  return { search, fillMs: performance.now() - begin };
};

const enrolAll = async (harness: Harness, templates: readonly Uint8Array[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let from = 0; from < templates.length; from += enrolAtOnce) {
    ids.push(...(await Promise.all(templates.slice(from, from + enrolAtOnce).map(harness.enrol))));
  }
  return ids;
};
