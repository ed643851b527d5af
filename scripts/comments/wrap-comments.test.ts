import { describe, expect, it } from "vitest";
import { findWraps, wrapComments } from "./wrap-comments.ts";

const wrap = (text: string): string => wrapComments("x.ts", text);

/** So many words of four letters: five columns each with the space before the next. */
const words = (count: number): string => Array(count).fill("word").join(" ");

const code = "export const a = 1;\n";

describe("a comment of more than 110 columns", () => {
  it("of one line becomes a block", () => {
    expect(wrap(`/** ${words(22)}. */\n${code}`)).toBe(`/**\n * ${words(21)}\n * word.\n */\n${code}`);
  });

  it("passes what does not fit to the line below", () => {
    expect(wrap(`/**\n * ${words(23)}\n * last words.\n */\n${code}`)).toBe(
      `/**\n * ${words(21)}\n * word word last words.\n */\n${code}`,
    );
  });

  it("passes on through full lines", () => {
    expect(wrap(`/**\n * ${words(22)}\n * ${words(21)}\n * end.\n */\n${code}`)).toBe(
      `/**\n * ${words(21)}\n * ${words(21)}\n * word end.\n */\n${code}`,
    );
  });

  it("is wrapped at its own indentation", () => {
    expect(wrap(`f(() => {\n    // ${words(22)}\n    // end.\n    g();\n});\n`)).toBe(
      `f(() => {\n    // ${words(20)}\n    // word word end.\n    g();\n});\n`,
    );
  });

  it("stays apart from the next paragraph", () => {
    expect(wrap(`/**\n * ${words(22)}\n *\n * Next.\n */\n${code}`)).toBe(
      `/**\n * ${words(21)}\n * word\n *\n * Next.\n */\n${code}`,
    );
  });

  it("stays apart from the line below a short last line", () => {
    const text = `/**\n * ${words(22)}\n * end.\n * Next.\n */\n${code}`;
    expect(wrap(text)).toBe(`/**\n * ${words(21)}\n * word end.\n * Next.\n */\n${code}`);
  });

  it("keeps a link and quoted code in one line", () => {
    expect(wrap(`// ${words(20)} {@link name | its text}.\n${code}`)).toBe(
      `// ${words(20)}\n// {@link name | its text}.\n${code}`,
    );
    expect(wrap(`// ${words(20)} \`const a = 1\`.\n${code}`)).toBe(
      `// ${words(20)}\n// \`const a = 1\`.\n${code}`,
    );
  });

  it.each(["-", "–", "*", "|", "1.", "@tag", "biome-ignore"])("begins no line with the mark %s", (mark) => {
    const { line, next } = { line: words(20), next: `wording ${mark} word` };
    expect(wrap(`// ${line} ${next}\n${code}`)).toBe(`// ${line}\n// ${next}\n${code}`);
  });

  it.each([
    ["a list", `- ${words(25)}`],
    ["a line below a list", `- a\n * ${words(25)}`],
    ["a table", `| ${words(25)} |`],
    ["a tag", `@param a ${words(25)}`],
    ["what follows a tag", `@example\n * ${words(25)}`],
    ["indented text", `  ${words(25)}`],
    ["aligned text", `name    ${words(25)}`],
    ["quoted code", `\`\`\`ts\n * ${words(25)}\n * \`\`\``],
    ["an address", `https://example.com/${"a".repeat(120)}`],
  ])("stays as it is: %s", (_, comment) => {
    const text = `/**\n * Before.\n *\n * ${comment}\n */\n${code}`;
    expect(findWraps("x.ts", text)).toEqual([]);
    expect(wrap(text)).toBe(text);
  });

  it.each([
    ["a directive", `// biome-ignore lint: ${words(25)}\n${code}`],
    ["one behind code", `const a = 1; // ${words(25)}\n`],
    ["one without stars", `/**\n${words(25)}\n*/\n${code}`],
    ["a text", `const a = "// ${words(25)}";\n`],
    ["lines of a template", `const a = \`\n// ${words(25)}\n\`;\n`],
  ])("is no matter of %s", (_, text) => {
    expect(wrap(text)).toBe(text);
  });

  it("is found at its place", () => {
    const text = `${code}\n/** ${words(25)} */\n${code}`;
    expect(findWraps("x.ts", text).map(({ start }) => text.slice(start, start + 8))).toEqual(["/** word"]);
  });
});

it("wraps once: wrapped comments stay as they are", () => {
  const text = `/**\n * ${words(57)}.\n * ${words(22)}\n */\n${code}// ${words(40)}\n// - a\n${code}`;
  expect(wrap(wrap(text))).toBe(wrap(text));
  expect(findWraps("x.ts", wrap(text))).toEqual([]);
});

it("leaves comments that fit, however they are broken", () => {
  const text = `/**\n * One.\n * Two\n * three.\n */\n${code}`;
  expect(wrap(text)).toBe(text);
});
