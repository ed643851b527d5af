import { Failure } from "#contract/failure";

/** The visible part of a page in its own coordinates, and its rotation in degrees. */
export type PageShape = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
};

/** Where a signature stands on a page. */
export type Placement = {
  /** In the coordinates of the page: for `Rect` of the widget. */
  readonly rect: readonly [number, number, number, number];
  /** Size as displayed, in points. */
  readonly width: number;
  readonly height: number;
  /** For `Matrix` of the appearance: it stays upright on a rotated page. */
  readonly matrix: readonly [number, number, number, number, number, number];
};

type Four = readonly [number, number, number, number];

/**
 * The least size of a visible signature as displayed, in points: 7 by 3.5 mm, ten strokes of a fine pen (0.35
 * mm) high. Our choice: a smaller image of handwriting is a dot, and no line of text can be told.
 */
export const smallest = { width: 20, height: 10 } as const;

/** Positions count to a hundredth of a point. */
const slack = 0.01;

const rounded = (points: number): number => Math.round(points * 100) / 100;

const onPage = (shape: PageShape, quarter: number, [a, b, x, y]: Four): Four => {
  const { width, height } = shape;
  if (quarter === 90) return [width - y, a, width - b, x];
  if (quarter === 180) return [width - x, height - y, width - a, height - b];
  return quarter === 270 ? [b, height - x, y, height - a] : [a, b, x, y];
};

const upright = (quarter: number, width: number, height: number): Placement["matrix"] => {
  if (quarter === 90) return [0, 1, -1, 0, height, 0];
  if (quarter === 180) return [-1, 0, 0, -1, width, height];
  return quarter === 270 ? [0, -1, 1, 0, 0, width] : [1, 0, 0, 1, 0, 0];
};

/**
 * Maps a position in points of the page as displayed, from its lower left corner, to the coordinates of the
 * page. Fails with `pdf_position_outside` where it has no area or leaves the page, and with
 * `pdf_position_small` below the smallest size. A hundredth of a point is borne.
 */
export const placeOnPage = (shape: PageShape, position: Four): Placement => {
  const quarter = (((Math.round(shape.rotation / 90) * 90) % 360) + 360) % 360;
  const [pageWidth, pageHeight] =
    quarter % 180 === 0 ? [shape.width, shape.height] : [shape.height, shape.width];
  const [a, b, x, y] = position;
  const isOutside = a < -slack || b < -slack || x > pageWidth + slack || y > pageHeight + slack;
  if (!position.every(Number.isFinite) || isOutside || x - a <= 0 || y - b <= 0)
    throw new Failure("pdf_position_outside", {
      position: position.join(","),
      pageWidth: rounded(pageWidth),
      pageHeight: rounded(pageHeight),
    });
  if (x - a < smallest.width - slack || y - b < smallest.height - slack)
    throw new Failure("pdf_position_small", {
      position: position.join(","),
      width: rounded(x - a),
      height: rounded(y - b),
      widthMin: smallest.width,
      heightMin: smallest.height,
    });
  const [left, bottom, right, top] = onPage(shape, quarter, position);
  return {
    rect: [left + shape.x, bottom + shape.y, right + shape.x, top + shape.y],
    width: x - a,
    height: y - b,
    matrix: upright(quarter, x - a, y - b),
  };
};
