import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CsvRow } from "#contract/tabular/csv";
import { type ImportCounts, importRows, type RowRefusal } from "./import-rows.ts";

let root = "";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "idem-import-"));
  await writeFile(join(root, "face.jpg"), Buffer.alloc(100));
  await writeFile(join(root, "large.jpg"), Buffer.alloc(101));
  await mkdir(join(root, "folder.jpg"));
});
afterAll(() => rm(root, { recursive: true }));

async function* rowsOf(...cells: readonly (readonly string[])[]): AsyncGenerator<CsvRow> {
  for (const [at, row] of cells.entries()) yield { line: at + 2, cells: row };
}

type Establish = Parameters<typeof importRows>[1]["establish"];

const run = async (rows: AsyncGenerator<CsvRow>, establish: Establish, width = 2) => {
  const refusals: (readonly [line: number, reason: RowRefusal])[] = [];
  const progress: ImportCounts[] = [];
  const counts = await importRows(rows, {
    root,
    imageBytesMax: 100,
    width,
    establish,
    onRefused: (line, reason) => refusals.push([line, reason]),
    onProgress: (seen) => progress.push(seen),
  });
  return { counts, refusals: refusals.toSorted(([a], [b]) => a - b), progress };
};

const established: Establish = () => Promise.resolve({ kind: "established" });

describe("the rows of an import", () => {
  it("establish the users that their images allow, and are refused one by one", async () => {
    const rows = rowsOf(
      ["anna", "face.jpg"],
      ["b", "face.jpg"],
      ["bo", "face.jpg"],
      ["c".repeat(256), "face.jpg"],
      ["c".repeat(257), "face.jpg"],
      ["dora", "none.jpg"],
      ["emil", "folder.jpg"],
      ["fritz", "large.jpg"],
      ["gina"],
      ["hans", ""],
      ["ida", "face.jpg", "more"],
    );
    const { counts, refusals, progress } = await run(rows, established);
    expect(counts).toEqual({ established: 3, registered: 0, refused: 8 });
    expect(refusals).toEqual([
      [3, "user-id-wrong"],
      [6, "user-id-wrong"],
      [7, "image-missing"],
      [8, "image-missing"],
      [9, "image-too-large"],
      [10, "row-incomplete"],
      [11, "row-incomplete"],
      [12, "row-incomplete"],
    ]);
    expect(progress.at(-1)).toEqual(counts);
  });

  it("count the characters of a userId as the interface does", async () => {
    // Each of these characters has two units of UTF-16.
    const userIds = ["😀", "😀😀", "😀".repeat(256), "😀".repeat(257)];
    const { counts, refusals } = await run(
      rowsOf(...userIds.map((userId) => [userId, "face.jpg"])),
      established,
    );
    expect(counts).toEqual({ established: 2, registered: 0, refused: 2 });
    expect(refusals).toEqual([
      [2, "user-id-wrong"],
      [5, "user-id-wrong"],
    ]);
  });

  it("count users who are registered already, and faces that cannot be enrolled", async () => {
    const answers = [{ kind: "registered" }, { kind: "refused", reason: "face-blocked" }] as const;
    let at = 0;
    const rows = rowsOf(["anna", "face.jpg"], ["bert", "face.jpg"]);
    const { counts, refusals } = await run(rows, () => Promise.resolve(answers[at++]!), 1);
    expect(counts).toEqual({ established: 0, registered: 1, refused: 1 });
    expect(refusals).toEqual([[3, "face-blocked"]]);
  });

  it("are in work as many at once as asked for, and no more", async () => {
    let [running, most] = [0, 0];
    const slow: Establish = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return { kind: "established" };
    };
    const rows = rowsOf(...Array.from({ length: 20 }, (_, n) => [`user-${n}`, "face.jpg"]));
    expect((await run(rows, slow, 3)).counts.established).toBe(20);
    expect(most).toBe(3);
  });

  it("end with a failure that is no matter of a row", async () => {
    const failing: Establish = () => Promise.reject(new Error("the store is gone"));
    await expect(run(rowsOf(["anna", "face.jpg"]), failing)).rejects.toThrow("the store is gone");
  });

  it("end only after the rows in work are done, with the first failure", async () => {
    const slow = Promise.withResolvers<void>();
    let isOver = false;
    const done: string[] = [];
    const establish: Establish = async (userId) => {
      if (userId === "anna") {
        await slow.promise;
        done.push(userId);
        throw new Error("a later failure");
      }
      // The other row fails at once; this one is released when nothing else is left to do.
      setImmediate(() => setImmediate(slow.resolve));
      throw new Error("the first failure");
    };
    const rows = rowsOf(["anna", "face.jpg"], ["bert", "face.jpg"], ["cara", "face.jpg"]);
    const result = run(rows, establish, 2).finally(() => {
      isOver = true;
      expect(done).toEqual(["anna"]);
    });
    await expect(result).rejects.toThrow("the first failure");
    expect(isOver).toBe(true);
  });
});
