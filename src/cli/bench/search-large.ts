import { defaultFpir, scoring, thresholdFor } from "#app/search-bench";
import { type DrawFace, makeDrawFace, type SyntheticFace } from "#evaluation/faces/synthetic-faces";
import { say } from "../command.ts";
import { residentMiB, type Times, timeCallers } from "./callers.ts";
import {
  benchGallery,
  exactScore,
  impostorFrom,
  knownDistance,
  numberOfId,
  packProbe,
  seedOf,
  startBenchGallery,
} from "./gallery.ts";

export type LargeFigures = {
  readonly templates: number;
  readonly fillMs: number;
  readonly searches: readonly (Times & {
    readonly fpir: number;
    readonly scoreMin: number;
    /** Faces per search that are compared exactly. */
    readonly candidates: number;
  })[];
  /** Time of a plain float32 scan over all vectors: the baseline without the gallery's index. */
  readonly plainScanMs: number;
  readonly checked: number;
  readonly wrong: number;
  readonly residentMiB: number;
  /** Resident memory before the first face: the memory of the program alone. */
  readonly residentBeforeMiB: number;
};

const seed = 1;
const batchFaces = 2_000;
const probesOfAKind = 50;
/** Probes that are compared with every face while the gallery is filled. */
const checkedProbes = 10;
const plainFaces = 20_000;
const candidatesMax = 4_096;

type Gallery = ReturnType<typeof startBenchGallery>;
type Probe = { readonly face: SyntheticFace; readonly packed: Uint8Array };

/** Fills one gallery with drawn faces, searches it and checks every answer by exact comparison. */
export const measureLarge = async (count: number): Promise<LargeFigures> => {
  const draw = makeDrawFace(seed);
  const probes = Array.from({ length: 2 * probesOfAKind }, (_, n): Probe => {
    const face = n % 2 === 0 ? draw(seedOf(n % count), knownDistance) : draw(seedOf(impostorFrom + n));
    return { face, packed: packProbe(face) };
  });
  const residentBeforeMiB = residentMiB();
  const gallery = startBenchGallery(seed, scoring);
  try {
    const scoreMin = thresholdFor(count, defaultFpir.review);
    const { truth, fillMs } = await fill(gallery, draw, count, probes.slice(0, checkedProbes), scoreMin);
    const resident = residentMiB();
    say("Searching …");
    let wrong = 0;
    for (const [n, expected] of truth.entries()) {
      const { hits } = await searchExactly(gallery, draw, probes[n]!, scoreMin);
      // The order of the candidate lists does not count.
      const isSame = hits.length === expected.length && hits.every((hit) => expected.includes(hit));
      wrong += isSame ? 0 : 1;
    }
    const searches: LargeFigures["searches"][number][] = [];
    for (const fpir of [defaultFpir.refusal, defaultFpir.review]) {
      for (const callers of [1, 2]) {
        searches.push(await time(gallery, draw, probes, { fpir, callers, count }));
      }
    }
    const plainScanMs = timePlainScan(draw, probes) * count;
    const checked = truth.length;
    const sizes = { residentMiB: resident, residentBeforeMiB };
    return { templates: count, fillMs, searches, plainScanMs, checked, wrong, ...sizes };
  } finally {
    await gallery.close();
  }
};

/** Fills the gallery, and meanwhile compares some probes with each new face in this thread. */
const fill = async (
  gallery: Gallery,
  draw: DrawFace,
  count: number,
  probes: readonly Probe[],
  scoreMin: number,
): Promise<{ readonly truth: readonly (readonly number[])[]; readonly fillMs: number }> => {
  const truth = probes.map((): number[] => []);
  let fillMs = 0;
  for (let from = 0; from < count; from += batchFaces) {
    const batch = { from, count: Math.min(batchFaces, count - from) };
    const begin = performance.now();
    const putting = gallery.put(batch);
    for (let n = from; n < from + batch.count; n++) {
      const face = draw(seedOf(n));
      probes.forEach((probe, p) => {
        if (exactScore(scoring, probe.face, face) >= scoreMin) truth[p]!.push(n);
      });
    }
    await putting;
    fillMs += performance.now() - begin;
    if (from % 100_000 === 0) say(`${from + batch.count} of ${count} faces …`);
  }
  return { truth, fillMs };
};

const searchExactly = async (
  gallery: Gallery,
  draw: DrawFace,
  { face, packed }: Probe,
  scoreMin: number,
): Promise<{ readonly hits: readonly number[]; readonly candidates: number }> => {
  const { candidates, total } = await gallery.search(benchGallery, packed, scoreMin, candidatesMax);
  if (total > candidates.length) {
    throw new Error(`A probe has ${total} candidates`);
  }
  const hits = candidates
    .map(({ id }) => numberOfId(id))
    .filter((n) => exactScore(scoring, face, draw(seedOf(n))) >= scoreMin);
  return { hits, candidates: total };
};

type Setting = { readonly fpir: number; readonly callers: number; readonly count: number };

const time = async (
  gallery: Gallery,
  draw: DrawFace,
  probes: readonly Probe[],
  { fpir, callers, count }: Setting,
): Promise<LargeFigures["searches"][number]> => {
  const scoreMin = thresholdFor(count, fpir);
  let total = 0;
  const times = await timeCallers(probes, callers, async (probe) => {
    total += (await searchExactly(gallery, draw, probe, scoreMin)).candidates;
  });
  return { ...times, fpir, scoreMin, candidates: total / probes.length };
};

/** Milliseconds per face of comparing float32 vectors one by one, over more vectors than the caches hold. */
const timePlainScan = (draw: DrawFace, probes: readonly Probe[]): number => {
  const faces = Array.from({ length: plainFaces }, (_, n) => draw(seedOf(n)));
  const begin = performance.now();
  let best = Number.NEGATIVE_INFINITY;
  for (const { face } of probes.slice(0, 3)) {
    for (const one of faces) {
      best = Math.max(best, exactScore(scoring, face, one));
    }
  }
  return best > Number.NEGATIVE_INFINITY ? (performance.now() - begin) / (3 * plainFaces) : Number.NaN;
};
