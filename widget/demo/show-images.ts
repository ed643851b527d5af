/** The images of the story, with what was measured drawn over them. */
import { make, makeSvg } from "../view/dom.ts";
import { labelled, say } from "./say.ts";
import { showFacts, urlOf } from "./show-parts.ts";
import type { Corner, SeenFace, SeenSide } from "./story.ts";
import type { DemoText } from "./texts.ts";

type Size = { readonly width: number; readonly height: number };

/** A line over an image, with a dark one below it: it is seen on bright and on dark images. */
const outline = (points: readonly Corner[]): readonly SVGElement[] => {
  const list = points.map(([x, y]) => `${x},${y}`).join(" ");
  return ["shade", "outline"].map((name) => makeSvg("polygon", { class: name, points: list }));
};

/** A dot for each landmark: lines without length and with round ends. */
const dots = (points: readonly Corner[]): SVGElement =>
  makeSvg("path", { class: "mesh", d: points.map(([x, y]) => `M${x} ${y}h0`).join("") });

const rectangle = ({ x, y, width, height }: NonNullable<SeenFace["box"]>): readonly Corner[] => [
  [x, y],
  [x + width, y],
  [x + width, y + height],
  [x, y + height],
];

const showImage = (
  base64: string,
  { width, height }: Size,
  drawn: readonly SVGElement[],
  alt: DemoText,
): HTMLElement =>
  make("div", { class: "picture" }, [
    make("img", { attributes: { src: urlOf(base64), ...labelled(alt) } }),
    makeSvg(
      "svg",
      { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn,
    ),
  ]);

/** An image with the box and the landmarks of its face. */
export const showFace = (
  base64: string,
  seen: SeenFace | undefined,
  texts: { readonly caption: DemoText; readonly alt: DemoText },
): HTMLElement => {
  const drawn = seen?.box === undefined ? [] : [dots(seen.mesh), ...outline(rectangle(seen.box))];
  const size = seen ?? { width: 1, height: 1 };
  const facts = seen?.box === undefined ? [say("p", "noFace")] : [showFacts(seen.facts)];
  return make("figure", {}, [
    showImage(base64, size, drawn, texts.alt),
    say("figcaption", texts.caption),
    ...facts,
  ]);
};

/** A side of a document with its corners. */
export const showSide = (base64: string, seen: SeenSide, caption: DemoText): HTMLElement => {
  const isLocated = seen.corners.length === 4;
  return make("figure", {}, [
    showImage(base64, seen, isLocated ? outline(seen.corners) : [], "sideAlt"),
    say("figcaption", caption),
    ...(isLocated ? [] : [say("p", "noCorners")]),
    showFacts(seen.facts),
  ]);
};
