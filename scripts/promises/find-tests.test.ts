import { expect, it } from "vitest";
import { findTests } from "./find-tests.ts";

const source = `
describe("a store", () => {
  describe.each([1])("of kind %i", () => {
    it("keeps", () => {});
    it.runIf(true).each(["x"])("keeps %s", () => {});
  });
  it.skip("is skipped", () => {});
  it.todo("is planned");
});
describe.skip("nothing here", () => { it("is skipped too", () => {}); });
it(\`survives \${kills} kills\`, { timeout: 5 }, () => {});
test("stands alone", () => { exec("it", "is no test"); });
const suite = (make) => { describe("a suite", () => { it("is found", () => {}); }); };
`;

it("finds every test with its describes, and no skipped one", () => {
  expect(findTests("a.test.ts", source)).toEqual([
    "a store > of kind %i > keeps",
    "a store > of kind %i > keeps %s",
    "survives ${kills} kills",
    "stands alone",
    "a suite > is found",
  ]);
});
