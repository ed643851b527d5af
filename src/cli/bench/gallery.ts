import { Worker } from "node:worker_threads";
import { type GalleryThread, makeGalleryThread } from "#features/users/gallery/gallery-thread";
import type { Descriptors, Scoring } from "#features/users/gallery/scoring";

/** A range of faces to draw, by their seeds. */
export type DrawnBatch = { readonly from: number; readonly count: number };

export const benchGallery = "bench";

/**
 * Distance of another image of the same person from the first. It gives the scores of two images of one
 * person: 4.9 on average.
 */
export const knownDistance = 0.8;
/** Numbers from here on belong to impostors: no gallery holds them. */
export const impostorFrom = 1e8;

/** Comparison score of two faces from their exact vectors. */
export const exactScore = (scoring: Scoring, a: Descriptors, b: Descriptors): number =>
  scoring.base +
  scoring.dlib * cosine(a.dlib, b.dlib) +
  scoring.faceres * cosine(a.faceres, b.faceres) -
  (a.handicap + b.handicap) / 2;

const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += a[i]! * b[i]!;
  }
  return sum;
};

/** Seeds are two apart: the seed between them moves the face. */
export const seedOf = (n: number): number => 2 * n;

export const idOfNumber = (n: number): string =>
  `00000000-0000-4000-8000-0000${n.toString(16).padStart(8, "0")}`;

export const numberOfId = (id: string): number => Number.parseInt(id.slice(-8), 16);

const dlibSize = 128;
const faceresSize = 1024;

/** A probe as bytes, packed as templates are. */
export const packProbe = ({ dlib, faceres, handicap }: Descriptors): Uint8Array =>
  new Uint8Array(Float32Array.from([...dlib, ...faceres, handicap]).buffer);

export const unpackProbe = (bytes: Uint8Array): Descriptors => {
  const values = new Float32Array(Uint8Array.from(bytes).buffer);
  return {
    dlib: values.subarray(0, dlibSize),
    faceres: values.subarray(dlibSize, dlibSize + faceresSize),
    handicap: values[dlibSize + faceresSize] ?? 0,
  };
};

/** Starts a gallery thread for drawn faces. */
export const startBenchGallery = (seed: number, scoring: Scoring): GalleryThread<DrawnBatch> =>
  makeGalleryThread<DrawnBatch>(
    () => new Worker(new URL("./gallery-worker.ts", import.meta.url), { workerData: { seed, scoring } }),
    (cause) => {
      throw new Error("The gallery thread died", { cause });
    },
  );
