import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { summariseLocation } from "#evaluation/documents/measure-location";
import type { Quad } from "#machine/imaging/image";
import { progressInto } from "#support/cli/progress-into";
import { CommandError, UsageError } from "../command.ts";
import { measureLocation } from "./location.ts";

const card: Quad = [
  [10, 10],
  [110, 10],
  [110, 70],
  [10, 70],
];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-location-"));
  for (const name of ["card.jpg", "missed.jpg", "plain.jpg"]) await writeFile(join(folder, name), name);
  const quads = { "card.jpg": card, "missed.jpg": card, "plain.jpg": null };
  await writeFile(join(folder, "quads.json"), JSON.stringify({ note: "drawn", quads }));
});

afterAll(async () => rm(folder, { recursive: true, force: true }));

/**
 * Locates the card in one file and none in the others, and cannot decode a third: the test does not depend on
 * the locator.
 */
const locate = async (bytes: Uint8Array) => {
  const name = new TextDecoder().decode(bytes);
  if (name === "missed.jpg") throw new Error("image_unreadable");
  return name === "card.jpg" ? { quad: card, score: 1.2 } : undefined;
};

const run = async (...argv: string[]) => {
  const [out, progress]: [string[], string[]] = [[], []];
  const code = await measureLocation(argv, {
    locate,
    summarise: (measured) => summariseLocation(measured, [1]),
    out: (line) => void out.push(line),
    progress: progressInto(progress),
  });
  return { code, out: out.join("\n"), progress };
};

describe("idem measure location", () => {
  it("prints the shares with their bounds, reports progress, and writes the figures", async () => {
    const json = join(folder, "figures.json");
    const { code, out, progress } = await run("--quads", join(folder, "quads.json"), "--json", json);
    expect(code).toBe(0);
    expect(out).toContain("IoU over .9     1 of 2, 50.0 % (95 %: 1.3 % to 98.7 %)");
    expect(out).toContain("without a card 0 of 1");
    expect(progress).toContain(`${join(folder, "missed.jpg")}: image_unreadable`);
    expect(progress.at(-1)).toBe("3 of 3");
    const figures: unknown = JSON.parse(await readFile(json, "utf8"));
    expect(figures).toMatchObject({ pictures: 3, over90: { count: 1, n: 2 }, refused: { count: 1 } });
  });

  it("asks for a list and refuses unknown words", async () => {
    await expect(run()).rejects.toThrow(UsageError);
    await expect(run("--quads", "x", "--fast")).rejects.toThrow(UsageError);
  });

  it.each([
    ["a,b", "is not JSON"],
    ['{"quads": {"a/b.jpg": [[1, 2], [3, 4], [5, 6]]}}', "another shape at a/b.jpg"],
    ['{"card.jpg": null}', "has another shape."],
    ['{"quads": {"gone.jpg": null}}', /^Image 1 of .* names .*gone.jpg/],
  ])("refuses the list %s and names the place", async (text, words) => {
    const list = join(folder, "wrong.json");
    await writeFile(list, text);
    const refusal = run("--quads", list);
    await expect(refusal).rejects.toThrow(CommandError);
    await expect(refusal).rejects.toThrow(words);
  });
});
