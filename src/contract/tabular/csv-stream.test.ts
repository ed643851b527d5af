import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CsvRow } from "./csv.ts";
import { readCsvRows } from "./csv-stream.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-csv-"));
});
afterAll(() => rm(folder, { recursive: true }));

const rowsOf = async (content: string | Uint8Array): Promise<readonly CsvRow[]> => {
  const path = join(folder, "list.csv");
  await writeFile(path, content);
  return await Array.fromAsync(readCsvRows(path));
};

it("reads rows with their lines, with quotes, any line end and a byte order mark", async () => {
  expect(await rowsOf('\ufeffa,"b ""c"", d"\r\n\r\nñ,2\n')).toEqual([
    { line: 1, cells: ["a", 'b "c", d'] },
    { line: 3, cells: ["ñ", "2"] },
  ]);
});

it("takes the semicolon where the first line has more of them than commas, in every line", async () => {
  expect(await rowsOf("a;b,c;d\r\n1;2,3;4\r\n")).toEqual([
    { line: 1, cells: ["a", "b,c", "d"] },
    { line: 2, cells: ["1", "2,3", "4"] },
  ]);
  expect(await rowsOf("a,b\n1;2,3;4;5\n")).toEqual([
    { line: 1, cells: ["a", "b"] },
    { line: 2, cells: ["1;2", "3;4;5"] },
  ]);
  expect(await rowsOf("")).toEqual([]);
});

it("names the line before a quote that is not closed, and before bytes that are not UTF-8", async () => {
  await expect(rowsOf('a,b\n"c,d\n')).rejects.toMatchObject({ name: "CsvFault", line: 1 });
  await expect(rowsOf(Uint8Array.of(0x61, 0x0a, 0xff, 0x0a))).rejects.toMatchObject({ name: "CsvFault" });
});

it("refuses a row without an end, whatever the length of the file", async () => {
  await expect(rowsOf("a".repeat(200_000))).rejects.toMatchObject({ name: "CsvFault" });
});

it("yields the first rows before it has read the file", async () => {
  const path = join(folder, "long.csv");
  await writeFile(path, "a,b\n".repeat(500_000));
  const rows = readCsvRows(path);
  expect((await rows.next()).value).toEqual({ line: 1, cells: ["a", "b"] });
  await rows.return(undefined);
});

it("fails as the file system does for a file that is not there", async () => {
  await expect(Array.fromAsync(readCsvRows(join(folder, "none.csv")))).rejects.toMatchObject({
    code: "ENOENT",
  });
});
