import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeadLine, readLine, writeLine } from "./evidence-file.ts";
import { appendHeads, readHeads } from "./head-file.ts";
import { lineBytesMax, readTextLines } from "./text-lines.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-heads-"));
  path = join(folder, "heads.jsonl");
});
afterEach(() => rm(folder, { recursive: true }));

const headOf = (seq: number): HeadLine => ({
  type: "head",
  format: 1,
  tenantId: "t",
  lastSeq: seq,
  headHash: "ab".repeat(32),
  at: 1000 + seq,
});

describe("the file of heads", () => {
  it("has none before it exists, keeps all, and belongs to its owner", async () => {
    expect(await Array.fromAsync(readHeads(path))).toStrictEqual([]);
    await appendHeads(path, [headOf(1)]);
    await appendHeads(path, [headOf(2), headOf(3)]);
    expect(await Array.fromAsync(readHeads(path))).toStrictEqual([1, 2, 3].map(headOf));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keeps every line of several writers at once", async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => appendHeads(path, [headOf(n)])));
    expect(
      (await Array.fromAsync(readHeads(path))).map(({ lastSeq }) => lastSeq).toSorted((a, b) => a - b),
    ).toStrictEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  it("is read past a line that was cut, and past lines of another kind", async () => {
    const cut = writeLine(headOf(2)).slice(0, 40);
    await writeFile(
      path,
      `${writeLine(headOf(1))}\n${cut}\n\nno JSON\n{"type":"head"}\n${writeLine(headOf(3))}`,
    );
    expect((await Array.fromAsync(readHeads(path))).map(({ lastSeq }) => lastSeq)).toStrictEqual([1, 3]);
    await writeFile(path, `${writeLine(headOf(1))}\n${cut}`);
    await appendHeads(path, [headOf(3)]);
    expect((await Array.fromAsync(readHeads(path))).map(({ lastSeq }) => lastSeq)).toStrictEqual([1, 3]);
  });

  it("may be the log of a service", async () => {
    const hash = "cd".repeat(32);
    const logged = { time: "2026-11-23T08:00:00.000Z", level: "info", message: "evidence head" };
    const line = { ...logged, component: "service", tenantId: "t", seq: 7, hash };
    await writeFile(path, `{"message":"call","seq":9}\n${JSON.stringify(line)}\n`);
    expect(await Array.fromAsync(readHeads(path))).toStrictEqual([
      { type: "head", format: 1, tenantId: "t", lastSeq: 7, headHash: hash, at: Date.parse(logged.time) },
    ]);
  });
});

describe("the lines of a text file", () => {
  it("are read across chunks, and a line without an end is bounded", async () => {
    const long = "x".repeat(70_000);
    await writeFile(path, `${long}\n\nlast`);
    expect(await Array.fromAsync(readTextLines(path))).toStrictEqual([long, "", "last"]);
    await writeFile(path, "y".repeat(5_000_000));
    const lengths = await Array.fromAsync(readTextLines(path), (line) => line.length);
    expect(lengths).toStrictEqual([lineBytesMax]);
    await writeFile(path, `${"y".repeat(lineBytesMax)}\n${"y".repeat(lineBytesMax)}z\nlast`);
    const [whole, cut, last] = await Array.fromAsync(readTextLines(path));
    expect([whole?.length, cut?.length, cut?.endsWith("z"), last]).toStrictEqual([
      lineBytesMax,
      lineBytesMax,
      false,
      "last",
    ]);
  });
});

describe("the lines of an export", () => {
  const entry = {
    type: "entry",
    seq: 1,
    id: "i",
    kind: "k",
    at: 5,
    prevHash: "0",
    hash: "1",
    bodyHash: "2",
    body: { at: 5, salt: "00", text: "{}" },
  } as const;
  const { body: _, bodyHash: __, ...former } = entry;
  const anchor = {
    type: "anchor",
    seq: 1,
    hash: "ab".repeat(32),
    at: 5,
    authority: "tsa.example",
    token: Uint8Array.of(48, 0, 255),
  } as const;

  it.each([headOf(1), { ...headOf(1), since: 0, tenant: "a" }, entry, former, anchor])(
    "are read as they were written: $type",
    (line) => {
      expect(readLine(writeLine(line))).toStrictEqual(line);
    },
  );

  it.each(["", "null", "[]", '{"type":"entry"}', '{"type":"other"}', writeLine(entry).replace("5", '"5"')])(
    "are nothing else: %s",
    (text) => {
      expect(readLine(text)).toBeUndefined();
    },
  );
});
