import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { decisionKinds } from "#record/transactions/decisions/decision";

it("the guide of the export lists every kind of decision, and no other", async () => {
  const guide = await readFile(new URL("../../docs/guides/operate/export.md", import.meta.url), "utf8");
  const [, table = ""] = /\n\| Kind \| `decision` \|\n((?:\|.*\n)+)/.exec(guide) ?? [];
  expect([...table.matchAll(/^\| `(\w+)`/gm)].map(([, kind]) => kind)).toEqual(Object.keys(decisionKinds));
});
