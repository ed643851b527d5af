import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { type DocumentPictures, makeReadDocument } from "./read-document.ts";
import type { ZoneSearch } from "./read-side.ts";
import { printed } from "./testing/printed-lines.ts";
import { sideOf, zoneOf } from "./testing/reading.ts";

const passportZone = [
  "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
  "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
];
const [front, back] = [Uint8Array.of(1), Uint8Array.of(2)];
const { mrz: _zone, ...plain } = sideOf({ lines: printed([0.1, 0.1, "SOLÍS"], [0.1, 0.2, "ANA"]), faces: 1 });

/** How a zone was searched on each side. */
const searched = async (type: "ID_CARD" | "PASSPORT", pictures: DocumentPictures) => {
  const asked: (readonly [side: "front" | "back", zone: ZoneSearch])[] = [];
  const read = makeReadDocument(async ([first], task) => {
    asked.push([first === 1 ? "front" : "back", task.zone]);
    return plain;
  });
  await read(pictures, { type });
  return asked;
};

describe("reading both sides", () => {
  it("expects a zone on a card's back, on a page's front and on a picture that comes alone", async () => {
    expect(await searched("ID_CARD", { front, back })).toEqual([
      ["front", "unless understood"],
      ["back", "expected"],
    ]);
    expect(await searched("PASSPORT", { front, back })).toEqual([
      ["front", "expected"],
      ["back", "unless understood"],
    ]);
    expect(await searched("ID_CARD", { front })).toEqual([["front", "expected"]]);
  });

  it("puts a page right that was sent as the back", async () => {
    const page = { ...plain, mrz: zoneOf(passportZone) };
    const read = makeReadDocument(async ([first]) => (first === 1 ? plain : page));
    const document = await read({ front, back }, { type: "PASSPORT" });
    expect([document.swapped, document.front.mrz?.lines]).toEqual([true, passportZone]);
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
