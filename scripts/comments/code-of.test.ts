import { describe, expect, it } from "vitest";
import { codeOf, commentsOf } from "./code-of.ts";

const code = (text: string): string => codeOf("x.ts", text);

describe("the code of a file", () => {
  it.each([
    ["a comment of one line", "/** A sum. */\nconst a = 1;\n"],
    ["a block", "/**\n * A sum\n * of numbers.\n */\nconst a = 1;\n"],
    ["two comments", "// A sum\n// of numbers.\nconst a = 1;\n"],
    ["a comment behind the code", "const a = 1; // a sum\n"],
    ["a comment within the code", "const a /* a sum */ = 1;\n"],
  ])("is the same with %s", (_, text) => {
    expect(code(text)).toBe("const a = 1;\n");
  });

  it("keeps what only looks like a comment", () => {
    const text = 'const a = ["// no", `/* no */ ${"é"} // no`, /\\/\\/ no/];\n';
    expect(code(text)).toBe(text);
  });

  it("keeps the indentation of the code and its empty lines", () => {
    expect(code("f(() => {\n  // é: first\n  g();\n\n  /* second */\n  h();\n});\n")).toBe(
      "f(() => {\n  g();\n\n  h();\n});\n",
    );
  });

  it.each(["a = 2", 'a = "1"', "b = 1"])("differs where the code does: %s", (other) => {
    expect(code(`const ${other};\n`)).not.toBe(code("const a = 1;\n"));
  });

  it("is not made of a file with a syntax error", () => {
    expect(() => code("const = ;\n")).toThrow("x.ts");
  });
});

it("comments are found behind characters outside of the basic plane", () => {
  const text = 'const a = "𝔸é"; // here\n';
  const [place] = commentsOf("x.ts", text);
  expect(text.slice(place?.start, place?.end)).toBe("// here");
});
