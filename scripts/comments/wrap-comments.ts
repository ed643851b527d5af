import { codeOf, commentsOf, isAlone, type Place } from "./code-of.ts";
import { wrapLines } from "./wrap-lines.ts";

/** Columns of a comment with its indentation, as the formatter has for code (biome.json). */
const columnsMax = 110;

/** A comment that is too long, and the text in its place. */
export type Wrap = Place & { readonly text: string };

const indentOf = (text: string, { start }: Place): string =>
  " ".repeat(start - text.lastIndexOf("\n", start - 1) - 1);

const isTooLong = (text: string, indent: string): boolean =>
  `${indent}${text}`.split("\n").some((line) => line.trimEnd().length > columnsMax);

/** The lines of a block comment without their stars. Undefined where a line begins without one. */
const linesOf = (comment: string): readonly string[] | undefined => {
  const one = /^\/\*\*? (.*) \*\/$/.exec(comment)?.[1];
  if (one !== undefined) return [one];
  const body = /^\/\*\*?\n((?: *\*(?: .*)?\n)+) *\*\/$/.exec(comment)?.[1];
  return body
    ?.slice(0, -1)
    .split("\n")
    .map((line) => line.replace(/^ *\* ?/, ""));
};

/** Wraps a block comment; one of a single line becomes a block. */
const wrapBlock = (comment: string, indent: string): string | undefined => {
  const lines = linesOf(comment);
  if (lines === undefined) return undefined;
  const wrapped = wrapLines(lines, columnsMax - indent.length - 3);
  const begin = comment.startsWith("/**") ? "/**" : "/*";
  return [begin, ...wrapped.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n");
};

/** Wraps `//` comments of lines that follow each other. Undefined where one has no space behind its mark. */
const wrapMarked = (comment: string, indent: string): string | undefined => {
  const lines = comment.split("\n").map((line) => line.trimStart());
  if (lines.some((line) => !/^\/\/(?: |$)/.test(line))) return undefined;
  return wrapLines(
    lines.map((line) => line.slice(3)),
    columnsMax - indent.length - 3,
  )
    .map((line) => `// ${line}`.trimEnd())
    .join(`\n${indent}`);
};

/**
 * Comments that are alone on their lines. `//` comments of neighbouring lines with one indentation are one.
 */
const joinedComments = (file: string, text: string): readonly Place[] => {
  const joined: Place[] = [];
  for (const place of commentsOf(file, text).filter((each) => isAlone(text, each))) {
    const before = joined.at(-1);
    const isNext =
      before !== undefined &&
      text.startsWith("//", before.start) &&
      text.startsWith("//", place.start) &&
      text.slice(before.end, place.start) === `\n${indentOf(text, before)}`;
    if (isNext) joined[joined.length - 1] = { start: before.start, end: place.end };
    else joined.push(place);
  }
  return joined;
};

/**
 * The comments of a file that have a line of more than 110 columns which can be wrapped, in the order of the
 * text.
 */
export const findWraps = (file: string, text: string): readonly Wrap[] =>
  joinedComments(file, text).flatMap((place) => {
    const comment = text.slice(place.start, place.end);
    const indent = indentOf(text, place);
    if (!isTooLong(comment, indent)) return [];
    const wrapped = comment.startsWith("//") ? wrapMarked(comment, indent) : wrapBlock(comment, indent);
    return wrapped === undefined || wrapped === comment ? [] : [{ ...place, text: wrapped }];
  });

const wordsOf = (text: string): string => text.replace(/[\s*/]/g, "");

/** The file with its wrapped comments. Throws where the code or a word of a comment would change. */
export const wrapComments = (file: string, text: string): string => {
  const wrapped = findWraps(file, text).reduceRight(
    (whole, wrap) => whole.slice(0, wrap.start) + wrap.text + whole.slice(wrap.end),
    text,
  );
  if (codeOf(file, wrapped) !== codeOf(file, text) || wordsOf(wrapped) !== wordsOf(text)) {
    throw new Error(`${file}: wrapping would change the code or the words of a comment`);
  }
  return wrapped;
};
