import type { OnnxFacts } from "#inference/onnx-facts";

/** As RapidOCR writes the list into the files of PP-OCR, and reads it. */
const key = "character";

/** A control character would be one in whatever is made of the text: it is read as nothing. */
const printable = (symbol: string): string => symbol.replaceAll(/\p{Cc}/gu, "");

/**
 * What each class of a text recogniser stands for, out of its file: one character a line, before the first the blank, after
 * the last the space. Undefined where the file holds no list.
 */
export const findSymbols = (metadata: OnnxFacts["metadata"]): readonly string[] | undefined => {
  const list = Object.hasOwn(metadata, key) ? metadata[key] : undefined;
  if (list === undefined || list === "") return undefined;
  const lines = list.replace(/\r?\n$/, "").split(/\r?\n/);
  return ["", ...lines.map(printable), " "];
};
