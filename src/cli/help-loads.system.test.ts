import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { expect, it } from "vitest";

const printLoads = fileURLToPath(new URL("../../test/support/cli/print-loads.ts", import.meta.url));
const loadsSchema = Compile(Type.Record(Type.String(), Type.Array(Type.String())));

/** What takes most of a start: schemas, queries, databases, networks, images. */
const heavy = ["typebox", "kysely", "better-sqlite3", "onnxruntime-node", "sharp"];

const countOf = (urls: readonly string[], name: string): number =>
  urls.filter((url) => url.includes(`/node_modules/${name}/`)).length;

it("the help of a command loads what its words need, and nothing of its run", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [printLoads]);
  const loads = Object.entries(loadsSchema.Parse(JSON.parse(stderr)));
  const faults = loads.flatMap(([words, urls]) =>
    heavy.flatMap((name) => {
      const count = countOf(urls, name);
      return count === 0 ? [] : [`idem ${words} --help loads ${count} modules of ${name}`];
    }),
  );
  expect(faults).toEqual([]);
  expect(stdout).toContain("Usage: idem webhooks replay");
  expect(loads.length).toBeGreaterThan(70);
});
