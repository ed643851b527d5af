import type { Point } from "#imaging/image";
import type { MrzFormat } from "./formats.ts";
import type { MrzReading } from "./reading.ts";

/** Distance of two characters, mm (OCR-B size I, 10 to the inch: ICAO Doc 9303-3, 4.2.1). */
const pitchMm = 2.54;

/**
 * What at least belongs to the document beside its zone, in pitches: left of the first character, right of the last, below the
 * lowest line, and above it. Doc 9303 puts a passport's zone some 6, 6.5 and 7 mm from the edges; on 14 pages whose corners were seen
 * it lay 1.3, 1.9, 2.5 and 29.5 pitches from them at least. Less is asked, since scans are trimmed and pages lean.
 */
type Margins = {
  readonly left: number;
  readonly right: number;
  readonly below: number;
  readonly above?: number;
};

const card: Margins = { left: 0.5, right: 0.5, below: 0.3 };
const page: Margins = { left: 1, right: 1, below: 1 };

/** Characters of a line, margins and longer side in mm (9303-4 to 9303-7, dimensions). National formats say nothing of either. */
const documents: Readonly<
  Partial<
    Record<MrzFormat, { readonly columns: number; readonly margins: Margins; readonly longSideMm: number }>
  >
> = {
  TD1: { columns: 30, margins: card, longSideMm: 85.6 },
  TD2: { columns: 36, margins: card, longSideMm: 105 },
  TD3: { columns: 44, margins: { ...page, above: 27 }, longSideMm: 125 },
  "MRV-A": { columns: 44, margins: page, longSideMm: 120 },
  "MRV-B": { columns: 36, margins: card, longSideMm: 105 },
};

/**
 * How much ground at most lies around the document that a zone stands on, as a share of its longer side; negative where the
 * picture cuts the document. Undefined for formats whose place is not known.
 */
export const roomAround = (
  { format, quad }: Pick<MrzReading, "format" | "quad">,
  picture: { readonly width: number; readonly height: number },
): number | undefined => {
  const document = documents[format];
  if (document === undefined) return undefined;
  const { columns, margins, longSideMm } = document;
  const [first, last, , lowest] = quad;
  const along: Point = [(last[0] - first[0]) / columns, (last[1] - first[1]) / columns];
  const pitch = Math.hypot(...along);
  const placed = (right: number, down: number): Point => [
    lowest[0] + right * along[0] - down * along[1],
    lowest[1] + right * along[1] + down * along[0],
  ];
  const corners = [
    placed(-margins.left, margins.below),
    placed(columns + margins.right, margins.below),
    ...(margins.above === undefined ? [] : [placed(0, -margins.above), placed(columns, -margins.above)]),
  ];
  const inside = Math.min(
    ...corners.flatMap(([x, y]) => [x, y, picture.width - 1 - x, picture.height - 1 - y]),
  );
  return (inside / pitch) * (pitchMm / longSideMm);
};
