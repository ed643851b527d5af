import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { personRows } from "./person-rows.ts";
import { makeReadPhoto } from "./photo-file.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-persons-"));
});
afterAll(() => rm(folder, { recursive: true }));

const read = async (name: string, text: string) => {
  await writeFile(join(folder, name), text);
  return await Array.fromAsync(personRows(join(folder, name)));
};

describe("a list of persons", () => {
  it("in CSV has the columns of its header, in any order and case", async () => {
    expect(await read("a.csv", "PHOTO;documentnumber\na.jpg;171\n;172\n\n173\na;b;c\n")).toEqual([
      { line: 2, cells: { photo: "a.jpg", documentNumber: "171" } },
      { line: 3, cells: { photo: "", documentNumber: "172" } },
      { line: 5, cells: { photo: "173", documentNumber: "" } },
      { line: 6, cells: undefined },
    ]);
  });

  it("in JSONL has one object on each line", async () => {
    expect(await read("a.jsonl", '{"documentNumber":"171"}\n[1]\nnull\n{\n')).toEqual([
      { line: 1, cells: { documentNumber: "171" } },
      { line: 2, cells: undefined },
      { line: 3, cells: undefined },
      { line: 4, cells: undefined },
    ]);
  });

  it.each([
    [
      "documentNumbr,city\n",
      'names the column "documentNumbr", which does not exist. Did you mean documentNumber?',
    ],
    ["city\n", "must name the column documentNumber"],
    ["documentNumber,city,City\n", "names the column city twice"],
    ['documentNumber\n"a', "is no CSV in UTF-8"],
  ])("is refused with the header or text %j", async (text, message) => {
    await expect(read("bad.csv", text)).rejects.toThrow(message);
  });

  it("that is missing is named", async () => {
    await expect(Array.fromAsync(personRows(join(folder, "none.jsonl")))).rejects.toThrow("cannot be read");
    await expect(Array.fromAsync(personRows(join(folder, "none.csv")))).rejects.toThrow("cannot be read");
  });
});

describe("the photo of a person", () => {
  it("is read from its folder alone, up to its bound", async () => {
    const root = join(folder, "photos");
    await mkdir(join(root, "sub"), { recursive: true });
    await writeFile(join(root, "sub", "a.jpg"), Buffer.alloc(100));
    await writeFile(join(root, "large.jpg"), Buffer.alloc(101));
    await writeFile(join(folder, "secret.jpg"), "x");
    await symlink(join(folder, "secret.jpg"), join(root, "link.jpg"));
    const readPhoto = await makeReadPhoto(root, 100);
    expect(await readPhoto("sub/a.jpg")).toHaveLength(100);
    expect(await readPhoto("large.jpg")).toBe("photo-too-large");
    expect(await readPhoto("../secret.jpg")).toBe("photo-outside");
    expect(await readPhoto(join(folder, "secret.jpg"))).toBe("photo-outside");
    expect(await readPhoto("link.jpg")).toBe("photo-outside");
    expect(await readPhoto(".")).toBe("photo-outside");
    expect(await readPhoto("sub")).toBe("photo-missing");
    expect(await readPhoto("none.jpg")).toBe("photo-missing");
    expect(await (await makeReadPhoto(undefined, 100))("sub/a.jpg")).toBe("photo-missing");
  });
});
