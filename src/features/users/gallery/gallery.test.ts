import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "#contract/statistics/random";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { cosine, fuse } from "#judging/face/matching/fusion";
import { makeGallery } from "./gallery.ts";
import { type Descriptors, scoringOf, singleScoring, splitVector } from "./scoring.ts";
import { makeSegments, segmentRows } from "./segments.ts";

const scoring = scoringOf(fuse);
const draw = makeDrawFace(1);
/** Many ids share one hash: the table must still find each of them. */
const idOf = (n: number): string =>
  `00000000-0000-4000-${String(8000 + (Math.floor(n / 7) % 1000))}-${String(Math.floor(n / 7000)).padStart(4, "0")}${String(n % 7).padStart(8, "0")}`;
const scoreOf = (a: Descriptors, b: Descriptors): number =>
  fuse(cosine(a.dlib, b.dlib), cosine(a.faceres, b.faceres)) - (a.handicap + b.handicap) / 2;

const filled = (count: number) => {
  const gallery = makeGallery(makeSegments(), scoring);
  const faces = new Map<string, Descriptors>();
  for (let n = 0; n < count; n++) {
    faces.set(idOf(n), draw(1000 * n));
  }
  faces.forEach((face, id) => gallery.put(id, face));
  return { gallery, faces };
};

/** The expected answer: a comparison with every face, without a time limit. */
const byComparison = (faces: ReadonlyMap<string, Descriptors>, query: Descriptors, scoreMin: number) =>
  [...faces].filter(([, face]) => scoreOf(query, face) >= scoreMin).map(([id]) => id);

const reached = (
  { gallery, faces }: ReturnType<typeof filled>,
  query: Descriptors,
  scoreMin: number,
): readonly string[] =>
  gallery
    .search(query, scoreMin, Number.POSITIVE_INFINITY)
    .candidates.filter(({ id }) => scoreOf(query, faces.get(id)!) >= scoreMin)
    .map(({ id }) => id);

describe("a search", () => {
  const filledGallery = filled(3 * segmentRows + 100);

  it("finds exactly the faces that a comparison with every face finds, at any score", () => {
    const seed = fc.integer({ min: 0, max: 3000 });
    const scoreMin = fc.double({ min: -1, max: 8, noNaN: true });
    fc.assert(
      fc.property(seed, fc.double({ min: 0, max: 2, noNaN: true }), scoreMin, (one, distance, score) => {
        const query = draw(1000 * one, distance);
        const found = reached(filledGallery, query, score);
        expect([...found].sort()).toStrictEqual(byComparison(filledGallery.faces, query, score).sort());
      }),
      { numRuns: 60 },
    );
  });

  it("returns a bound never below the true score, and at most .4 above it", () => {
    const query = draw(5000, 0.5);
    for (const { id, scoreMax } of filledGallery.gallery.search(query, -10, Number.POSITIVE_INFINITY)
      .candidates) {
      const score = scoreOf(query, filledGallery.faces.get(id)!);
      expect(scoreMax).toBeGreaterThanOrEqual(score);
      expect(scoreMax - score).toBeLessThan(0.4);
    }
  });

  it("returns the highest bounds first, and the total if it cuts the list", () => {
    const { candidates, total } = filledGallery.gallery.search(draw(7000, 0.3), 1, 5);
    expect(candidates).toHaveLength(5);
    expect(candidates[0]?.id).toBe(idOf(7));
    expect(total).toBeGreaterThan(5);
    const bounds = candidates.map(({ scoreMax }) => scoreMax);
    expect(bounds).toStrictEqual([...bounds].sort((a, b) => b - a));
  });

  it("finds vectors of very uneven values, where the rounding error is largest", () => {
    const spiky = (n: number, share: number): Descriptors => {
      const spike = (length: number): Float32Array => {
        const values = Float32Array.from({ length }, (_, i) =>
          i === n ? share : Math.sqrt((1 - share * share) / (length - 1)),
        );
        return values;
      };
      return { dlib: spike(128), faceres: spike(1024), handicap: 0 };
    };
    const gallery = makeGallery(makeSegments(), scoring);
    const faces = new Map([0.2, 0.5, 0.9, 0.99].map((share, n) => [idOf(n), spiky(n % 2, share)] as const));
    faces.forEach((face, id) => gallery.put(id, face));
    for (const query of faces.values()) {
      for (const score of faces.values()) {
        const exact = scoreOf(query, score);
        expect(reached({ gallery, faces }, query, exact)).toStrictEqual(
          expect.arrayContaining(byComparison(faces, query, exact)),
        );
      }
    }
  });
});

describe("a search among single vectors", () => {
  /** Unit vectors of any length up to a row's, of varied similarity. */
  const vectorOf = (length: number, n: number): Float32Array => {
    const random = seededRandom(n);
    const common = seededRandom(Math.floor(n / 10));
    const raw = Float32Array.from({ length }, () => 1.5 * normalDeviate(common) + normalDeviate(random));
    const norm = Math.hypot(...raw);
    return raw.map((value) => value / norm);
  };

  it.each([16, 128, 512, 1152])("of %i values finds exactly the faces with the required cosine", (length) => {
    const gallery = makeGallery(makeSegments(), singleScoring);
    const faces = Array.from({ length: segmentRows + 50 }, (_, n) => vectorOf(length, n));
    faces.forEach((vector, n) => gallery.put(idOf(n), splitVector(vector)));
    for (const n of [3, 400, 1050]) {
      const query = vectorOf(length, n);
      const found = gallery.search(splitVector(query), 0.4, Number.POSITIVE_INFINITY);
      const ids = found.candidates.map(({ id }) => id);
      const wanted = faces.flatMap((vector, i) => (cosine(vector, query) >= 0.4 ? [idOf(i)] : []));
      expect(wanted.length).toBeGreaterThan(5);
      expect(new Set(ids)).toEqual(new Set([...wanted, ...ids]));
      expect(ids.length).toBeLessThan(wanted.length + 30);
      for (const { id, scoreMax } of found.candidates) {
        const i = faces.findIndex((_, place) => idOf(place) === id);
        expect(scoreMax).toBeGreaterThanOrEqual(cosine(faces[i]!, query));
      }
    }
  });
});

describe("a gallery", () => {
  it("holds the added faces without the removed ones, after any order of changes", () => {
    const ids = fc.integer({ min: 0, max: 30 });
    const step = fc.record({ id: ids, face: fc.integer({ min: 0, max: 40 }), keeps: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const gallery = makeGallery(makeSegments(), scoring);
        const faces = new Map<string, Descriptors>();
        for (const { id, face, keeps } of steps) {
          if (keeps) {
            faces.set(idOf(id), draw(1000 * face));
            gallery.put(idOf(id), draw(1000 * face));
          } else {
            faces.delete(idOf(id));
            gallery.remove(idOf(id));
          }
        }
        const all = gallery.search(draw(1), -100, 1000).candidates.map(({ id }) => id);
        expect(all.sort()).toStrictEqual([...faces.keys()].sort());
        expect(gallery.size()).toBe(faces.size);
        for (const [id, face] of faces) {
          expect(reached({ gallery, faces }, face, scoreOf(face, face))).toContain(id);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("leaves no byte of a removed face", () => {
    const segments = makeSegments();
    const galleries = [makeGallery(segments, scoring), makeGallery(segments, scoring)];
    for (const gallery of galleries) {
      for (let n = 0; n < segmentRows + 3; n++) {
        gallery.put(idOf(n), draw(n));
      }
    }
    galleries[0]!.clear();
    for (let n = 0; n < segmentRows + 3; n++) {
      galleries[1]!.remove(idOf(n));
    }
    const beyondQuery = new Uint8Array(segments.memory.buffer, 65_536);
    expect(beyondQuery.every((byte) => byte === 0)).toBe(true);
  });

  it("reuses returned segments, and finds no face of another gallery", () => {
    const segments = makeSegments();
    const [one, two] = [makeGallery(segments, scoring), makeGallery(segments, scoring)];
    one.put(idOf(1), draw(1));
    const bytes = segments.memory.buffer.byteLength;
    one.clear();
    two.put(idOf(2), draw(1));
    expect(segments.memory.buffer.byteLength).toBe(bytes);
    expect(one.search(draw(1), -100, 10).total).toBe(0);
    expect(two.search(draw(1), -100, 10).candidates.map(({ id }) => id)).toStrictEqual([idOf(2)]);
  });

  it("refuses a vector longer than a unit vector, or of another size", () => {
    const gallery = makeGallery(makeSegments(), scoring);
    const face = draw(1);
    const double = { ...face, dlib: face.dlib.map((value) => 2 * value) };
    expect(() => gallery.put(idOf(1), double)).toThrow(/unit vectors/);
    expect(() => gallery.put(idOf(1), { ...face, faceres: face.dlib })).toThrow(/unit vectors/);
    expect(() => gallery.put(idOf(1), { ...face, handicap: Number.NaN })).toThrow(/unit vectors/);
    expect(gallery.size()).toBe(0);
  });
});

describe("the scoring", () => {
  it("accepts only a weighted sum as fusion", () => {
    expect(() => scoringOf((a, b) => a * b)).toThrow(/weighted sum/);
    const { base, dlib, faceres } = scoringOf(fuse);
    expect(base + 0.8 * dlib + 0.1 * faceres).toBeCloseTo(fuse(0.8, 0.1), 9);
  });
});
