import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { printed } from "#support/document/printed-lines";
import { mrzOf, sideOf } from "#support/document/reading";
import { type DocumentImages, makeReadDocument } from "./read-document.ts";
import type { MrzSearch } from "./side-task.ts";

const passportMrz = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
];
const [front, back] = [Uint8Array.of(1), Uint8Array.of(2)];
const { mrz: _mrz, ...plain } = sideOf({ lines: printed([0.1, 0.1, "SOLÍS"], [0.1, 0.2, "ANA"]), faces: 1 });

/** The MRZ search of each side. */
const searched = async (type: "ID_CARD" | "PASSPORT", images: DocumentImages) => {
  const asked: (readonly [side: "front" | "back", mrz: MrzSearch])[] = [];
  const read = makeReadDocument(async ([first], task) => {
    asked.push([first === 1 ? "front" : "back", task.mrz]);
    return plain;
  });
  await read(images, { type });
  return asked;
};

describe("reading both sides", () => {
  it("expects an MRZ on a card's back, on a page's front and on a single image", async () => {
    expect(await searched("ID_CARD", { front, back })).toEqual([
      ["front", "fallback"],
      ["back", "expected"],
    ]);
    expect(await searched("PASSPORT", { front, back })).toEqual([
      ["front", "expected"],
      ["back", "fallback"],
    ]);
    expect(await searched("ID_CARD", { front })).toEqual([["front", "expected"]]);
  });

  it("swaps the sides when a data page was sent as the back", async () => {
    const page = { ...plain, mrz: mrzOf(passportMrz) };
    const read = makeReadDocument(async ([first]) => (first === 1 ? plain : page));
    const document = await read({ front, back }, { type: "PASSPORT" });
    expect([document.swapped, document.front.mrz?.lines]).toEqual([true, passportMrz]);
  });

  it("names the side that could not be read", async () => {
    const read = makeReadDocument(async ([first]) => {
      if (first === 2) throw new Failure("image_unreadable");
      return plain;
    });
    await expect(read({ front, back }, {})).rejects.toMatchObject({
      code: "image_unreadable",
      facts: { input: "back" },
    });
  });
});
