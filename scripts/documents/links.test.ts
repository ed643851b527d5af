import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { distance } from "fastest-levenshtein";
import { describe, expect, it } from "vitest";
import { anchorsOf, linkFaults, linksOf, namedFileFaults } from "./links.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

describe("the links of a page", () => {
  const page = [
    "# A `page`",
    "[one](../b/one.md#a-heading), [two](two.md) and [here](#a-page)",
    "[out](https://example.org/a.md), `[no](link.md)`",
    "```md",
    "[none](none.md)",
    "```",
    "[`code`](../c/)",
  ].join("\n");

  it("are those to files and headings, not those in code or to other hosts", () => {
    expect(linksOf("docs/a/page.md", page)).toEqual([
      { line: 2, path: "docs/b/one.md", anchor: "a-heading" },
      { line: 2, path: "docs/a/two.md", anchor: "" },
      { line: 2, path: "docs/a/page.md", anchor: "a-page" },
      { line: 7, path: "docs/c", anchor: "" },
    ]);
  });

  it("are at fault where no file or no heading is there", () => {
    const files = new Map([
      ["docs/a/page.md", page],
      ["docs/b/one.md", "# Another heading"],
      ["docs/c", ""],
    ]);
    expect(linkFaults("docs/a/page.md", page, (path) => files.get(path))).toEqual([
      "docs/a/page.md:2 links to docs/b/one.md#a-heading: there is no such heading",
      "docs/a/page.md:2 links to docs/a/two.md: there is no such file",
    ]);
  });
});

it("headings have the anchors of GitHub", () => {
  const page =
    "# `auth` and `tls`\n## Politically exposed persons (126)\n## 1. A day's [plan](a.md)\n## Español: año\n## Again\n## Again\n" +
    "```sh\n# no heading\n```\n";
  expect([...anchorsOf(page)]).toEqual([
    "auth-and-tls",
    "politically-exposed-persons-126",
    "1-a-days-plan",
    "español-año",
    "again",
    "again-1",
  ]);
});

it("a text that names a guide or a source that is not there is at fault", () => {
  const text = "See docs/guides/start/first-start.md.\nMore: docs/guides/gone.md, 'Damage'";
  expect(namedFileFaults("a.ts", text, (path) => path.includes("first"))).toEqual([
    "a.ts:2 names docs/guides/gone.md: there is no such file",
  ]);
  const sources = "// As src/a/b.ts.\n// As (src/gone/c.ts) and test/support/d.ts.";
  expect(namedFileFaults("a.ts", sources, (path) => path === "src/a/b.ts")).toEqual([
    "a.ts:2 names src/gone/c.ts: there is no such file",
  ]);
});

describe("the guides", () => {
  const guides = globSync("docs/guides/**/*.md", { cwd: root }).sort();
  const isIndex = (path: string): boolean => path.endsWith("/README.md");
  const linkedFrom = (path: string): readonly string[] => linksOf(path, read(path)).map((link) => link.path);

  it("are reached from the README by the index of their folder", () => {
    const indexes = linkedFrom("README.md").filter((path) => guides.includes(path) && isIndex(path));
    expect([...new Set(indexes)].sort()).toEqual(guides.filter(isIndex));
    const listed = new Set(indexes.flatMap(linkedFrom));
    expect(guides.filter((path) => !listed.has(path) && !isIndex(path))).toEqual([]);
    expect(guides.length).toBeGreaterThan(20);
  });

  it("have names that differ by more than two letters", () => {
    const names = guides.filter((path) => !isIndex(path)).map((path) => basename(path, ".md"));
    const close = names.flatMap((one, at) =>
      names
        .slice(at + 1)
        .filter((other) => distance(one, other) < 3)
        .map((other) => `${one}, ${other}`),
    );
    expect(close).toEqual([]);
  });
});
