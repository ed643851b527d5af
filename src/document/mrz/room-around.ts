import type { Point } from "#imaging/image";
import { pointBetween } from "../locate/geometry.ts";
import type { MrzFormat } from "./formats.ts";
import type { MrzReading } from "./reading.ts";

/** Distance of two characters, mm (OCR-B size I, 10 to the inch: ICAO Doc 9303-3, 4.2.1). */
const pitchMm = 2.54;

/**
 * What of the document lies beside its zone: left of the first character, right of the last and below the lowest line, in
 * pitches, and above that line in heights of the zone, which lean away from the camera as the page does.
 */
type Margins = {
  readonly left: number;
  readonly right: number;
  readonly below: number;
  readonly above?: number;
};

/** Least of the cards whose corners were seen, where issuers differ most. */
const card: Margins = { left: 0.9, right: 0.9, below: 0.7 };
/** As Doc 9303-4 and 9303-7 draw it: 5, 5.5 and 6.5 mm. */
const page: Margins = { left: 2, right: 2.2, below: 2.6 };
/** A page is 8 zones high; so much of it shows under every tilt that a zone is read at. */
const passport: Margins = { ...page, above: 6.75 };

/** Characters of a line, margins and longer side in mm (9303-4 to 9303-7, dimensions). National formats say nothing of either. */
const documents: Readonly<
  Partial<
    Record<MrzFormat, { readonly columns: number; readonly margins: Margins; readonly longSideMm: number }>
  >
> = {
  TD1: { columns: 30, margins: card, longSideMm: 85.6 },
  TD2: { columns: 36, margins: card, longSideMm: 105 },
  TD3: { columns: 44, margins: passport, longSideMm: 125 },
  "MRV-A": { columns: 44, margins: page, longSideMm: 120 },
  "MRV-B": { columns: 36, margins: card, longSideMm: 105 },
};

/**
 * How much ground lies around the document that a zone stands on, as far as the zone tells it, as a share of the document's
 * longer side; negative where the picture cuts the document. There may be less: a card's head is not told. Undefined for
 * formats whose place is not known.
 */
export const roomAround = (
  { format, quad }: Pick<MrzReading, "format" | "quad">,
  picture: { readonly width: number; readonly height: number },
): number | undefined => {
  const document = documents[format];
  if (document === undefined) return undefined;
  const { columns, margins, longSideMm } = document;
  const [first, last, lastBelow, firstBelow] = quad;
  const pitch = Math.hypot(last[0] - first[0], last[1] - first[1]) / columns;
  const height = Math.hypot(firstBelow[0] - first[0], firstBelow[1] - first[1]);
  /** Columns from the first character, and heights of the zone from its upper line. */
  const placed = (column: number, row: number): Point =>
    pointBetween(
      pointBetween(first, last, column / columns),
      pointBetween(firstBelow, lastBelow, column / columns),
      row,
    );
  const below = 1 + (margins.below * pitch) / height;
  const corners = [
    placed(-margins.left, below),
    placed(columns + margins.right, below),
    ...(margins.above === undefined ? [] : [0, columns].map((column) => placed(column, 1 - margins.above!))),
  ];
  const inside = Math.min(
    ...corners.flatMap(([x, y]) => [x, y, picture.width - 1 - x, picture.height - 1 - y]),
  );
  return (inside / pitch) * (pitchMm / longSideMm);
};
