import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listedRows } from "./listed-rows.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-listed-"));
});
afterAll(() => rm(folder, { recursive: true }));

const rowsOf = async (text: string): Promise<readonly (readonly string[])[]> => {
  const path = join(folder, "users.csv");
  await writeFile(path, text);
  return (await Array.fromAsync(listedRows(path))).map(({ cells }) => cells);
};

describe("the list of an import", () => {
  it.each([
    ["commas and a header", "userId,image\nanna,a.jpg\n"],
    ["semicolons and a header, as a spreadsheet writes it", "\ufeffuserId;image\r\nanna;a.jpg\r\n"],
    ["another order and further columns", 'Image;note;"UserID"\na.jpg;"x, y";anna\n'],
    ["no header", "anna,a.jpg\n"],
    ["no header and semicolons", "anna;a.jpg\n"],
  ])("is read with %s", async (_, text) => {
    expect(await rowsOf(text)).toEqual([["anna", "a.jpg"]]);
  });

  it("keeps the lines of the file, and gives an empty cell for an absent one", async () => {
    const path = join(folder, "lines.csv");
    await writeFile(path, "image,userId\na.jpg\n\nb.jpg,bert\n");
    expect(await Array.fromAsync(listedRows(path))).toEqual([
      { line: 2, cells: ["", "a.jpg"] },
      { line: 4, cells: ["bert", "b.jpg"] },
    ]);
  });

  it("keeps a path with a comma in a list with semicolons", async () => {
    expect(await rowsOf("userId;image\nanna;a, b.jpg\n")).toEqual([["anna", "a, b.jpg"]]);
  });

  it.each([
    ["a header without the image", "userId;photo\nanna;a.jpg\n"],
    ["a header without the user", "user,image\nanna,a.jpg\n"],
    ["another separator", "userId\timage\nanna\ta.jpg\n"],
    ["a column twice", "userId,image,image\nanna,a.jpg,b.jpg\n"],
  ])("is refused with the expected columns and separators: %s", async (_, text) => {
    await expect(rowsOf(text)).rejects.toThrow(
      /users\.csv: line 1 must name the columns userId and image once each, separated by commas or semicolons/,
    );
  });
});
