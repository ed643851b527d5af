import { isHardToSee } from "../findings/picture.ts";
import { isTrusted } from "../locate/find-quad.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentReading, SideReading } from "../reading.ts";

/** One requirement of a picture. `passed` is null where it could not be measured: that speaks against nobody. */
export type Requirement = {
  readonly value: number | null;
  readonly minimum: number;
  readonly recommended?: number;
  readonly passed: boolean | null;
};

/** What the interface asks of one picture of the diagnostic (Limits). */
export type PictureReport = {
  readonly passed: boolean;
  /** Shorter side in pixels. */
  readonly resolution: Requirement;
  /** Narrowest ground beside the document, as a share of its longer side. */
  readonly background: Requirement;
  /** Estimated from the file; null for a PNG, which loses nothing. */
  readonly jpegQuality: Requirement;
  /** Whether data could be read; null where the other side carries it. */
  readonly text: { readonly passed: boolean | null };
  /** Width of edges, blown-out share, brightness: recommended alone. */
  readonly light: { readonly passed: boolean };
};

/** Of the pictures as they were sent: whoever sent the back as the front is told of the file that he sent so. */
export type QualityReport = {
  readonly passed: boolean;
  readonly front: PictureReport;
  readonly back?: PictureReport;
};

/** Interface, Limits: recommended for the shorter side. */
const shortSideRecommended = 1080;

/** Judges both pictures against the interface's minimum; what is recommended is reported and fails nothing. */
export const judgeRequirements = (reading: DocumentReading, policy: DocumentPolicy): QualityReport => {
  const { front, back } = asSent(reading);
  const isRead = [front, back].some((side) => side !== undefined && hasData(side));
  const report = (side: SideReading): PictureReport => reportPicture(side, isRead, policy);
  const [first, second] = [report(front), back && report(back)];
  return {
    passed: first.passed && second?.passed !== false,
    front: first,
    ...(second && { back: second }),
  };
};

const asSent = ({ front, back, swapped }: DocumentReading): Pick<DocumentReading, "front" | "back"> =>
  swapped && back !== undefined ? { front: back, back: front } : { front, ...(back && { back }) };

/** Lines that a side must show, surely read, where it carries neither a zone nor a symbol. */
const linesMin = 3;
const confidenceMin = 0.8;

const hasData = ({ mrz, barcodes, lines }: SideReading): boolean =>
  mrz?.clear === true ||
  barcodes.length > 0 ||
  lines.filter(({ confidence }) => confidence >= confidenceMin).length >= linesMin;

const reportPicture = (
  side: SideReading,
  isOtherRead: boolean,
  { picture }: DocumentPolicy,
): PictureReport => {
  const { quality } = side;
  const resolution = {
    ...atLeast(Math.min(quality.width, quality.height), picture.shortSidePxMin),
    recommended: shortSideRecommended,
  };
  const background = atLeast(groundBeside(side, picture.marginShareMin), picture.marginShareMin);
  const jpegQuality = atLeast(quality.jpegQuality ?? null, picture.jpegQualityMin);
  const text = { passed: hasData(side) ? true : isOtherRead ? null : false };
  const light = { passed: !isHardToSee(quality, picture) };
  const passed = [resolution, background, jpegQuality, text].every((one) => one.passed !== false);
  return { passed, resolution, background, jpegQuality, text, light };
};

/** By a trusted outline; by another no more than the place of a clear zone leaves, which alone can tell that it is too little. */
const groundBeside = ({ card, mrz }: SideReading, minimum: number): number | null => {
  const room = !isTrusted(card) && mrz?.clear === true ? mrz.room : undefined;
  if (room !== undefined && room < minimum) return Math.min(room, card?.marginShare ?? room);
  return card?.marginShare ?? null;
};

const atLeast = (value: number | null, minimum: number): Requirement => ({
  value,
  minimum,
  passed: value === null ? null : value >= minimum,
});
