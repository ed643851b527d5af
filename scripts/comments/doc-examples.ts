import { commentsOf } from "./code-of.ts";

/** A runnable example in a comment, and the line of the file on which its code begins. */
export type DocExample = { readonly line: number; readonly code: string };

/** Code behind `@example` in quotation marks of TypeScript. */
const example = /@example\s+```ts\n([\s\S]*?)\n\s*```/g;

/** The examples in the comments of a file. */
export const examplesIn = (file: string, text: string): readonly DocExample[] =>
  commentsOf(file, text).flatMap(({ start, end }) => {
    const lines = text
      .slice(start, end)
      .split("\n")
      .map((line) => line.replace(/^ *\* ?/, ""));
    const first = text.slice(0, start).split("\n").length;
    const comment = lines.join("\n");
    return [...comment.matchAll(example)].map(({ 0: whole, 1: code = "", index }) => ({
      line: first + comment.slice(0, index + whole.indexOf("```ts\n")).split("\n").length,
      code,
    }));
  });
