import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JsonLine, readJsonLines } from "./json-lines.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-lines-"));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (content: string | Uint8Array): Promise<readonly JsonLine[]> => {
  const path = join(folder, "list.jsonl");
  await writeFile(path, content);
  return await Array.fromAsync(readJsonLines(path));
};

describe("lines of JSON", () => {
  it("are read one by one with their numbers, without blank ones", async () => {
    expect(await read('{"a":1}\r\n\n  \n[2]\n"ñ"')).toEqual([
      { line: 1, value: { a: 1 } },
      { line: 4, value: [2] },
      { line: 5, value: "ñ" },
    ]);
    expect(await read("")).toEqual([]);
  });

  it("that are none have no value, and do not end the reading", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":\n'),
      Buffer.from([0x22, 0xf1, 0x22, 10]),
      Buffer.from("1\n"),
    ]);
    expect(await read(bytes)).toEqual([
      { line: 1, value: undefined },
      { line: 2, value: undefined },
      { line: 3, value: 1 },
    ]);
  });

  it("have at most 65,536 bytes, across the parts in which a file arrives", async () => {
    const longest = JSON.stringify("x".repeat(65_534));
    const tooLong = JSON.stringify("x".repeat(65_535));
    const lines = await read(`${tooLong}\n${longest}\n${"y".repeat(300_000)}\n7\n`);
    expect(lines.map(({ value }) => typeof value)).toEqual(["undefined", "string", "undefined", "number"]);
  });
});
