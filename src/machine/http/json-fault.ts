import { isUtf8 } from "node:buffer";

/** Where a text stops to be JSON: line and column from 1, the column in characters. */
export type JsonFault = { readonly line: number; readonly column: number };

const space = /[ \t\r\n]*/y;
/**
 * A whole number, text or word of JSON (RFC 8259). A text that has no end, a control character, or a wrong
 * escape, is none.
 */
const scalar =
  /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")/y;

const skip = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
};

/**
 * The index of the first character at which the text stops to be JSON. It is the length of a text that ends
 * too early, and -1 for JSON.
 */
const faultIndex = (text: string): number => {
  const open: ("}" | "]")[] = [];
  let at = skip(space, text, 0);
  /** What may stand here: a value, a name of an object, or what follows a value. */
  let expected: "value" | "name" | "value or end" | "name or end" | "after" = "value";
  for (;;) {
    const character = text[at];
    const end = open.at(-1);
    if (expected === "after") {
      if (end === undefined) return character === undefined ? -1 : at;
      if (character === end) open.pop();
      else if (character !== ",") return at;
      else expected = end === "}" ? "name" : "value";
      at++;
    } else if (expected.endsWith("or end") && character === end) {
      open.pop();
      expected = "after";
      at++;
    } else if (expected.startsWith("name")) {
      const after = character === '"' ? skip(scalar, text, at) : at;
      const colon = skip(space, text, after);
      if (after === at || text[colon] !== ":") return after === at ? at : colon;
      at = colon + 1;
      expected = "value";
    } else if (character === "{" || character === "[") {
      open.push(character === "{" ? "}" : "]");
      expected = character === "{" ? "name or end" : "value or end";
      at++;
    } else {
      const after = skip(scalar, text, at);
      if (after === at) return at;
      at = after;
      expected = "after";
    }
    at = skip(space, text, at);
  }
};

const placeOf = (text: string, index: number): JsonFault => {
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: Array.from(before.at(-1) ?? "").length + 1 };
};

/**
 * The place of the first fault of a body that no parser reads; undefined where there is none, and for a body
 * of more than `bytesMax`, whose faults are not worth a second pass. Quotes nothing. Time and memory are
 * linear to the bytes.
 */
export const findJsonFault = (bytes: Uint8Array, bytesMax = 256 * 1024): JsonFault | undefined => {
  if (bytes.length > bytesMax || !isUtf8(bytes)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const index = faultIndex(text);
  return index < 0 ? undefined : placeOf(text, index);
};
