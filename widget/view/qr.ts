import { encode } from "uqr";
import { makeSvg } from "./dom.ts";

/** A QR code of a text as an image with this name. Level M: a screen is clean, and the code stays small. */
export const drawQr = (text: string, name: string): SVGElement => {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const cells = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return makeSvg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": name }, [
    makeSvg("path", { d: cells.join(""), fill: "#000" }),
  ]);
};
