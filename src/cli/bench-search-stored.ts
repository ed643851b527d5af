import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePackFace, openSearchHouse, readFace, scoreOf } from "../measuring-search.ts";
import { residentMiB, type Times, timeCallers } from "./bench-callers.ts";
import { knownDistance, seedOf, strangerFrom } from "./bench-gallery.ts";
import { say } from "./command.ts";
import { makeDrawFace } from "./synthetic-faces.ts";

export type StoredFigures = {
  readonly enrolments: number;
  readonly enrolmentsPerSecond: number;
  readonly fillMs: number;
  /** A whole search: through the galleries' thread, then the candidates out of the store, opened and compared. */
  readonly searches: readonly Times[];
  readonly found: number;
  readonly probes: number;
  readonly wrong: number;
  readonly residentMiB: number;
};

const enrolAtOnce = 64;
const probesOfAKind = 100;
/** Undoing a template's protection moves a score by some millionths: who stands so near to the threshold may be either. */
const scoreRounding = 1e-4;

type House = Awaited<ReturnType<typeof openSearchHouse>>;

/** Enrols through a store in a fresh folder, fills the galleries from it, and searches with known and unknown faces. */
export const measureStored = async (count: number): Promise<StoredFigures> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-search-"));
  const house = await openSearchHouse(folder);
  try {
    return await measure(house, count);
  } finally {
    await house.close();
    await rm(folder, { recursive: true, force: true });
  }
};

const measure = async (house: House, count: number): Promise<StoredFigures> => {
  const draw = makeDrawFace(1);
  const pack = makePackFace();
  say(`Enrolling ${count} users …`);
  const templates = Array.from({ length: count }, (_, n) => pack(draw(seedOf(n))));
  const begin = performance.now();
  const ids = await enrolAll(house, templates);
  const enrolMs = performance.now() - begin;

  const { search, fillMs } = await fillFromStore(house);
  const people = templates.map(readFace);
  const probes = Array.from({ length: 2 * probesOfAKind }, (_, n) =>
    pack(n % 2 === 0 ? draw(seedOf(n % count), knownDistance) : draw(seedOf(strangerFrom + n))),
  );
  let [wrong, found] = [0, 0];
  const ask = async (probe: Uint8Array): Promise<void> => {
    const { hits, scoreMin } = await search.searchFaces("people", house.owner, probe);
    const names = new Set(hits.map(({ id }) => id));
    found += names.size > 0 ? 1 : 0;
    const query = readFace(probe);
    const isMissed = people.some(
      (person, n) => scoreOf(person, query) >= scoreMin + scoreRounding && !names.has(ids[n]!),
    );
    wrong += isMissed ? 1 : 0;
  };
  say("Comparing the answers with those of comparing everybody …");
  for (const probe of probes) await ask(probe);
  const searches: Times[] = [];
  for (const callers of [1, 2]) {
    const once = async (probe: Uint8Array): Promise<void> => {
      await search.searchFaces("people", house.owner, probe);
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
  house: House,
): Promise<{ readonly search: ReturnType<House["search"]>; readonly fillMs: number }> => {
  say("Filling the galleries from the store …");
  const filled = Promise.withResolvers<object>();
  const begin = performance.now();
  const search = house.search(filled.resolve);
  await filled.promise;
  return { search, fillMs: performance.now() - begin };
};

const enrolAll = async (house: House, templates: readonly Uint8Array[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (let from = 0; from < templates.length; from += enrolAtOnce) {
    ids.push(...(await Promise.all(templates.slice(from, from + enrolAtOnce).map(house.enrol))));
  }
  return ids;
};
