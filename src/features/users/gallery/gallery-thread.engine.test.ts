import { Worker } from "node:worker_threads";
import { afterEach, expect, it } from "vitest";
import { benchGallery, type DrawnBatch, idOfNumber, packProbe, seedOf } from "#cli/bench/gallery";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { fuse } from "#judging/face/matching/fusion";
import { type GalleryThread, makeGalleryThread } from "./gallery-thread.ts";
import { scoringOf } from "./scoring.ts";

const draw = makeDrawFace(1);
const workers: Worker[] = [];
let thread: GalleryThread<DrawnBatch>;

const start = (onEnd: (cause: unknown) => void): GalleryThread<DrawnBatch> => {
  const workerData = { seed: 1, scoring: scoringOf(fuse) };
  thread = makeGalleryThread<DrawnBatch>(() => {
    const worker = new Worker(new URL("../../../cli/bench/gallery-worker.ts", import.meta.url), {
      workerData,
    });
    workers.push(worker);
    return worker;
  }, onEnd);
  return thread;
};
afterEach(async () => {
  await thread.close();
  workers.splice(0);
});

const probe = (n: number): Uint8Array => packProbe(draw(seedOf(n)));

it("searches the added faces until they are removed or forgotten", async () => {
  const { put, search, size, remove, forget } = start(() => undefined);
  expect(size(benchGallery)).toBe(0);
  expect(await put({ from: 0, count: 50 })).toStrictEqual({
    sizes: [{ gallery: benchGallery, size: 50, missing: 0 }],
    unopened: 0,
  });
  const found = await search(benchGallery, probe(7), 4, 10);
  expect(found.candidates[0]?.id).toBe(idOfNumber(7));
  await remove(benchGallery, [idOfNumber(7)]);
  expect(size(benchGallery)).toBe(49);
  expect((await search(benchGallery, probe(7), 5, 10)).total).toBe(0);
  await forget(benchGallery);
  expect(size(benchGallery)).toBe(0);
  expect((await search(benchGallery, probe(8), -10, 10)).total).toBe(0);
});

it("reports its end, rejects the waiting calls, and starts again empty", async () => {
  const ended = Promise.withResolvers<unknown>();
  const { put, search, size } = start(ended.resolve);
  await put({ from: 0, count: 10 });
  const waiting = put({ from: 10, count: 100_000 });
  await Promise.all([
    workers[0]!.terminate(),
    expect(waiting).rejects.toMatchObject({
      code: "search_unavailable",
      facts: { retryAfterSeconds: 5 },
    }),
  ]);
  await ended.promise;
  expect(size(benchGallery)).toBe(0);
  await put({ from: 0, count: 3 });
  expect((await search(benchGallery, probe(1), -10, 10)).total).toBe(3);
  expect(workers).toHaveLength(2);
});

it("counts failed searches and their waiting time like answered ones", async () => {
  const { put, search, readings } = start(() => undefined);
  await put({ from: 0, count: 10 });
  await search(benchGallery, probe(1), 4, 10);
  const { ms } = readings().searches;
  const filling = put({ from: 10, count: 100_000 });
  const waiting = search(benchGallery, probe(2), 4, 10);
  await Promise.all([
    workers[0]!.terminate(),
    expect(filling).rejects.toMatchObject({ code: "search_unavailable" }),
    expect(waiting).rejects.toMatchObject({ code: "search_unavailable" }),
  ]);
  expect(readings().searches.runs).toBe(2);
  expect(readings().searches.ms).toBeGreaterThan(ms);
});

it("starts no thread without faces", async () => {
  const { remove, forget } = start(() => undefined);
  await remove(benchGallery, [idOfNumber(1)]);
  await forget(benchGallery);
  expect(workers).toHaveLength(0);
});
