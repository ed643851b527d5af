import type { OnnxFacts } from "#machine/networks/onnx-facts";

/** The metadata key of the list, as RapidOCR writes it into PP-OCR files and reads it. */
const key = "character";

/** A control character would reach every text made from it: it is read as an empty text. */
const printable = (character: string): string => character.replaceAll(/\p{Cc}/gu, "");

/**
 * The character of each class of a text recogniser, from its file: one character per line, the blank before
 * the first, the space after the last. Undefined where the file holds no list.
 */
export const findCharacters = (metadata: OnnxFacts["metadata"]): readonly string[] | undefined => {
  const list = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (list === undefined || list === "") return undefined;
  const lines = list.replace(/\r?\n$/, "").split(/\r?\n/);
  return ["", ...lines.map(printable), " "];
};
