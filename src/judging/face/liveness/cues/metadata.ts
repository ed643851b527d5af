import type { Cue } from "./cue.ts";

const editors =
  /photoshop|gimp|lightroom|snapseed|facetune|screenshot|canva|pixelmator|picsart|stable diffusion|midjourney/i;

/** The known editor in the text of a file; undefined for cameras and unknown software. */
export const editorIn = (text: string): string | undefined => editors.exec(text)?.[0].toLowerCase();

export const editingSoftware: Cue = {
  name: "editing-software",
  strength: "digital",
  reason: "An image editor or a screenshot tool signed the file: it did not come straight from a camera.",
  weigh: ({ file }) =>
    file.hasExif
      ? file.exifSoftware !== undefined && editorIn(file.exifSoftware) !== undefined
        ? 1.5
        : 0
      : undefined,
};

/** Native sizes of telephone screens: a PNG of exactly this size without camera data is a screenshot. */
const screenSizes: ReadonlySet<string> = new Set([
  "750x1334",
  "828x1792",
  "1080x1920",
  "1080x2340",
  "1080x2400",
  "1125x2436",
  "1170x2532",
  "1179x2556",
  "1206x2622",
  "1242x2688",
  "1284x2778",
  "1290x2796",
  "1440x3200",
]);

export const screenSizedFile: Cue = {
  name: "screen-sized-file",
  strength: "digital",
  reason: "A PNG of a telephone screen's very size, without a camera's data: a screenshot.",
  weigh: ({ file }) => {
    if (file.format !== "png") return undefined;
    const sides = [Math.min(file.width, file.height), Math.max(file.width, file.height)].join("x");
    return screenSizes.has(sides) && file.exifCamera === undefined ? 1.5 : 0;
  },
};
