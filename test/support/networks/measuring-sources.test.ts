import { describe, expect, it } from "vitest";
import { countedOf, hashOfSources, sourcesOf } from "./measuring-sources.ts";

const own = "src/judging/document/decision/reasons/from-images.engine.test.ts";
const sources = sourcesOf([own]);

it.each([
  ["the test", own],
  ["the reader that it opens", "test/support/document/reader.ts"],
  ["a reader of that reader", "src/judging/document/reading/mrz/read-line.ts"],
  ["the choice between crops, which a judge makes", "src/judging/document/reading/mrz/judge-hypothesis.ts"],
  ["the calendar that a reader asks", "src/contract/calendar-date.ts"],
  ["the countries that a reader asks", "src/contract/country.ts"],
  ["the types of documents that a reader asks", "src/contract/document-type.ts"],
  ["the decoder", "src/machine/imaging/imaging.ts"],
  ["the finder of faces", "src/judging/face/engine/list-faces.ts"],
  ["a drawing that another names", "src/sandbox/specimen/altered-passports.ts"],
  ["the typefaces, which no import names", "src/sandbox/specimen/typefaces.generated.json"],
  [
    "the document models, of which labels are searched",
    "src/judging/document/decision/models/catalogue/chl-id-2024.yaml",
  ],
])("measurements follow from %s", (_, path) => {
  expect(sources).toContain(path);
});

const capture = sourcesOf(["src/judging/face/challenge/judge-capture.engine.test.ts"]);

it("measurements of a capture follow from the policy of its challenge, and not from its judges", () => {
  expect(capture).toContain("src/judging/face/challenge/policy.ts");
  const judges = /judging\/face\/(?:policy|.*\/judge-[^/]+(?<!\.test))\.ts$/;
  expect([...capture].filter((source) => judges.test(source))).toEqual([]);
});

it.each([
  ["a judge", /decision\/decide\.ts$|judging\/face\/.*judge-[^/]+\.ts$/],
  ["the catalogue of failures, or the form of a call", /contract\/(?:failure|.*\.routes)\.ts$/],
  ["a module whose types alone are imported", /reading\/reading\.ts$/],
  ["what is run on readings", /support\/document\/validations\.ts$/],
  ["a record", /readings\.generated\.json$/],
  ["the store", /src\/(?:machine\/storage|app)\//],
  ["a page", /\.md$/],
])("and not from %s", (_, path) => {
  expect([...sources].filter((source) => path.test(source))).toEqual([]);
});

it("two files with the same imports have two hashes", () => {
  const urls = [own, "test/support/document/reader.ts"].map(
    (path) => new URL(`../../../${path}`, import.meta.url).href,
  );
  const [one, other] = urls.map((url) => hashOfSources([url]));
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(other).not.toBe(one);
  expect(hashOfSources(urls.slice(0, 1))).toBe(one);
});

describe("what counts of a file", () => {
  const counted = (path: string, text: string): string => countedOf(path, Buffer.from(text)).toString();

  it("is the code of a module, without its comments", () => {
    const code = counted("test/a.ts", "export const a = 1;\n");
    expect(counted("test/a.ts", "/** A number. */\nexport const a = 1; // one\n")).toBe(code);
    expect(counted("test/a.ts", "export const a = 2;\n")).not.toBe(code);
  });

  it("is each byte of any other file", () => {
    expect(counted("models/a.yaml", "a: /* 1 */ 2\n")).toBe("a: /* 1 */ 2\n");
  });
});
