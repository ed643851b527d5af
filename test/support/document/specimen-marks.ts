import type { Image, Point } from "#machine/imaging/image";
import { type Colour, fill, plain, type Ring } from "#sandbox/specimen/canvas";
import { type Lettering, type Outlines, write } from "#sandbox/specimen/lettering";

/** Letters as issuers print or punch them: whole, their contours alone, dots, or with little ink. */
export const markStyles = ["solid", "outlined", "dotted", "pale"] as const;

export type MarkStyle = (typeof markStyles)[number];

/** A word across a document; lengths are shares of its width. */
export type Mark = {
  readonly text: string;
  /** Middle of the word. */
  readonly at: readonly [x: number, y: number];
  readonly em: number;
  /** Degrees, clockwise. */
  readonly angle: number;
  readonly colour: Colour;
  readonly opacity?: number;
  /** How the letters are drawn; absent: solid. */
  readonly style?: MarkStyle;
  /** Share of the word at its beginning or end that something covers. */
  readonly covered?: { readonly share: number; readonly on: "beginning" | "end" };
};

/** A strip along a contour's edge. */
const edge = ([x, y]: Point, [toX, toY]: Point, half: number): Ring => {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const [across, down] = [(-(toY - y) / length) * half, ((toX - x) / length) * half];
  return [
    [x + across, y + down],
    [toX + across, toY + down],
    [toX - across, toY - down],
    [x - across, y - down],
  ];
};

const writeOutlined = (page: Image, glyphs: Outlines["sans"], text: string, how: Lettering): void => {
  const [cos, sin] = [Math.cos(how.rotation ?? 0), Math.sin(how.rotation ?? 0)];
  const scale = how.emPx / 1000;
  let pen = 0;
  for (const character of text) {
    const { contours, advance } = glyphs[character]!;
    for (const contour of contours) {
      const ring = Array.from({ length: contour.length / 2 }, (_, i): Point => {
        const [along, down] = [pen + contour[2 * i]! * scale, -contour[2 * i + 1]! * scale];
        return [how.x + along * cos - down * sin, how.baseline + along * sin + down * cos];
      });
      for (const [i, point] of ring.entries()) {
        const strip = edge(point, ring[(i + 1) % ring.length]!, how.emPx * 0.02);
        fill(page, [strip], how.colour, how.opacity);
      }
    }
    pen += advance * scale;
  }
};

/** Dots where the letters are, in rows along the word; lengths are shares of the em. */
const dots = { step: 0.075, radius: 0.027, corners: 10 } as const;

const dotAt = ([x, y]: Point, radius: number): Ring =>
  Array.from({ length: dots.corners }, (_, i): Point => {
    const turn = (2 * Math.PI * i) / dots.corners;
    return [x + radius * Math.cos(turn), y + radius * Math.sin(turn)];
  });

const writeDotted = (page: Image, glyphs: Outlines["sans"], text: string, how: Lettering): void => {
  const letters = plain(page.width, page.height, [255, 255, 255]);
  write(letters, glyphs, text, { ...how, colour: [0, 0, 0], opacity: 1 });
  const [cos, sin] = [Math.cos(how.rotation ?? 0), Math.sin(how.rotation ?? 0)];
  const step = dots.step * how.emPx;
  const columns = Math.ceil(widthOf(glyphs, text, how.emPx) / step);
  for (let row = 0; row <= 1.2 / dots.step; row++) {
    for (let column = 0; column <= columns; column++) {
      const [along, down] = [column * step, (row * dots.step - 1) * how.emPx];
      const [x, y] = [how.x + along * cos - down * sin, how.baseline + along * sin + down * cos];
      const at = 3 * (Math.floor(y) * page.width + Math.floor(x));
      const isLetter = x >= 0 && x < page.width && letters.data[at]! < 128;
      if (isLetter) fill(page, [dotAt([x, y], dots.radius * how.emPx)], how.colour, how.opacity);
    }
  }
};

const widthOf = (glyphs: Outlines["sans"], text: string, emPx: number): number =>
  Array.from(text).reduce((sum, character) => sum + glyphs[character]!.advance * (emPx / 1000), 0);

const writers = { solid: write, outlined: writeOutlined, dotted: writeDotted, pale: write };

/** Writes a word across a page. */
export const writeMark = (page: Image, { sans }: Outlines, mark: Mark): void => {
  const emPx = mark.em * page.width;
  const rotation = (mark.angle * Math.PI) / 180;
  const width = widthOf(sans, mark.text, emPx);
  const [along, up] = [width / 2, emPx * 0.36];
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  const middle = [mark.at[0] * page.width, mark.at[1] * page.height] as const;
  const how = {
    x: middle[0] - along * cos - up * sin,
    baseline: middle[1] - along * sin + up * cos,
    emPx,
    rotation,
    colour: mark.colour,
    opacity: mark.opacity ?? 1,
  };
  writers[mark.style ?? "solid"](page, sans, mark.text, how);
  if (mark.covered === undefined) return;
  const { share, on } = mark.covered;
  const from = on === "beginning" ? -0.1 * emPx : width * (1 - share);
  const to = on === "beginning" ? width * share : width + 0.1 * emPx;
  const place = (u: number, v: number): Point => [
    how.x + u * cos - v * sin,
    how.baseline + u * sin + v * cos,
  ];
  const [top, bottom] = [-0.85 * emPx, 0.15 * emPx];
  fill(page, [[place(from, top), place(to, top), place(to, bottom), place(from, bottom)]], [224, 222, 214]);
};

const red: Colour = [200, 40, 40];
const grey: Colour = [120, 120, 120];

/** Marks as issuers print or punch them on their published specimens, each with what makes it hard. */
export const specimenMarks = {
  "level and red": { text: "SPECIMEN", at: [0.55, 0.45], em: 0.09, angle: 0, colour: red },
  "rising by 12 degrees": { text: "SPECIMEN", at: [0.5, 0.5], em: 0.1, angle: -12, colour: red },
  "rising by 30 degrees": { text: "SPECIMEN", at: [0.5, 0.5], em: 0.11, angle: -30, colour: red },
  "rising by 45 degrees": { text: "MUESTRA", at: [0.5, 0.5], em: 0.1, angle: -45, colour: grey },
  "falling by 25 degrees": { text: "MUSTER", at: [0.55, 0.5], em: 0.13, angle: 25, colour: red },
  "running up": { text: "SPECIMEN", at: [0.93, 0.45], em: 0.06, angle: -90, colour: red },
  "running down": { text: "CANCELLED", at: [0.93, 0.42], em: 0.055, angle: 90, colour: grey },
  "pale and rising": {
    text: "SPECIMEN",
    at: [0.5, 0.5],
    em: 0.11,
    angle: -20,
    colour: [90, 90, 90],
    opacity: 0.45,
  },
  "outlined and level": {
    text: "SPECIMEN",
    at: [0.55, 0.4],
    em: 0.1,
    angle: 0,
    colour: [60, 60, 60],
    style: "outlined",
  },
  "outlined and rising": {
    text: "SPECIMEN",
    at: [0.5, 0.5],
    em: 0.12,
    angle: -22,
    colour: red,
    style: "outlined",
  },
  "without its beginning": {
    text: "SPECIMEN",
    at: [0.55, 0.5],
    em: 0.1,
    angle: -15,
    colour: red,
    covered: { share: 0.24, on: "beginning" },
  },
  "without its end": {
    text: "ANULADO",
    at: [0.55, 0.5],
    em: 0.11,
    angle: -18,
    colour: red,
    covered: { share: 0.2, on: "end" },
  },
} as const satisfies Readonly<Record<string, Mark>>;
