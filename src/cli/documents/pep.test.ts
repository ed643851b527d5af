import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readPepList } from "#judging/document/decision/watchlists/pep-list";
import { pep } from "./pep.command.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-pep-"));
  await writeFile(join(folder, "list.csv"), "name,birthDate\nAna Solís,1990\n");
});
afterEach(() => rm(folder, { recursive: true }));

const take = async (source: string): Promise<number> => {
  const command = await pep.topics!["import"]!();
  const [from, out] = [join(folder, "list.csv"), join(folder, "peps.json")];
  return await command.run([from, "--source", source, "--version", "1", "--out", out]);
};

describe("idem pep import", () => {
  it("replaces the list by one that the service reads and only its owner may read", async () => {
    expect(await take("Before")).toBe(0);
    expect(await take("Register")).toBe(0);
    const out = join(folder, "peps.json");
    expect(readPepList(await readFile(out, "utf8"))).toMatchObject({ source: "Register", size: 1 });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  it("accepts a byte order mark, and keeps the line of each person", async () => {
    await writeFile(join(folder, "list.csv"), "\uFEFFname;birthDate\r\n\r\nAna Solís;1990\r\n");
    expect(await take("Register")).toBe(0);
    const list = readPepList(await readFile(join(folder, "peps.json"), "utf8"));
    const ana = { lastName: "SOLIS", firstName: "ANA", dateOfBirth: "1990-07-01" };
    expect(list.findMatches(ana)).toEqual({ count: 1, lines: [3] });
  });

  it.each([
    ["Windows-1252", Buffer.from("name,birthDate\nBo Berg,1971\nAna Solís,1990\n", "latin1"), "line 3"],
    ["UTF-16", Buffer.from("\uFEFFname,birthDate\nAna Solís,1990\n", "utf16le"), "line 1"],
  ])("refuses %s and names the line and how to save the file", async (_, bytes, line) => {
    await writeFile(join(folder, "list.csv"), bytes);
    await expect(take("Register")).rejects.toThrow(new RegExp(`${line} is not UTF-8.*CSV UTF-8`));
    expect(await readdir(folder)).toEqual(["list.csv"]);
  });

  it.each(["", "x".repeat(201)])(
    "leaves the list as it is where the service cannot read the new list",
    async (source) => {
      await take("Before");
      await expect(take(source)).rejects.toThrow("--source");
      const names = await readdir(folder);
      expect(names.toSorted()).toEqual(["list.csv", "peps.json"]);
      expect(readPepList(await readFile(join(folder, "peps.json"), "utf8")).source).toBe("Before");
    },
  );
});
