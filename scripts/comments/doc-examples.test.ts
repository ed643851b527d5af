import { expect, it } from "vitest";
import { examplesIn } from "./doc-examples.ts";

const fence = "```";

it("finds the example of a doc comment, with the line of its code", () => {
  const text = `import "a";\n\n/**\n * A sum.\n *\n * @example\n * ${fence}ts\n * const a = 1;\n *\n *   f(a);\n * ${fence}\n */\nconst b = 2;\n`;
  expect(examplesIn("x.ts", text)).toEqual([{ line: 8, code: "const a = 1;\n\n  f(a);" }]);
});

it("finds several examples, and none in another language", () => {
  const block = (language: string, code: string): string =>
    ` * @example\n * ${fence}${language}\n * ${code}\n * ${fence}\n`;
  const text = `/**\n${block("ts", "a();")}${block("html", "<p>")}${block("ts", "b();")} */\nconst c = 1;\n`;
  expect(examplesIn("x.ts", text).map(({ code }) => code)).toEqual(["a();", "b();"]);
});
