import type { Point } from "#machine/imaging/image";
import { pointBetween } from "../locate/geometry.ts";
import type { MrzFormat } from "./formats.ts";
import type { MrzReading } from "./reading.ts";

/** Distance of two characters, mm (OCR-B size I, 10 to the inch: ICAO Doc 9303-3, 4.2.1). */
const pitchMm = 2.54;

/**
 * Parts of the document around its MRZ: left of the first character, right of the last and below the lowest
 * line in pitches; above the upper line in MRZ heights, which lean away from the camera as the page does.
 */
type Margins = {
  readonly left: number;
  readonly right: number;
  readonly below: number;
  readonly above?: number;
};

/** The minimum of the cards whose corners were measured, because issuers differ most here. */
const card: Margins = { left: 0.9, right: 0.9, below: 0.7 };
/** As drawn in Doc 9303-4 and 9303-7: 5, 5.5 and 6.5 mm. */
const page: Margins = { left: 2, right: 2.2, below: 2.6 };
/** A page is 8 MRZ heights high; this much of it is visible at every tilt at which an MRZ is readable. */
const passport: Margins = { ...page, above: 6.75 };

/**
 * Characters per line, margins and longer side in mm (9303-4 to 9303-7, dimensions). National formats specify
 * neither.
 */
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
 * The margin around the document of an MRZ, as a share of the document's longer side; negative when the image
 * cuts the document. The real margin may be smaller, because the upper edge of a card is unknown. Undefined
 * for formats whose MRZ position is unknown.
 */
export const marginsAround = (
  { format, quad }: Pick<MrzReading, "format" | "quad">,
  image: { readonly width: number; readonly height: number },
): number | undefined => {
  const document = documents[format];
  if (document === undefined) return undefined;
  const { columns, margins, longSideMm } = document;
  const [first, last, lastBelow, firstBelow] = quad;
  const pitch = Math.hypot(last[0] - first[0], last[1] - first[1]) / columns;
  const height = Math.hypot(firstBelow[0] - first[0], firstBelow[1] - first[1]);
  /** Columns from the first character, and MRZ heights from its upper line. */
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
  const inside = Math.min(...corners.flatMap(([x, y]) => [x, y, image.width - 1 - x, image.height - 1 - y]));
  return (inside / pitch) * (pitchMm / longSideMm);
};
