import { describe, expect, it } from "vitest";
import { Failure } from "#contract/failure";
import { makeReadDocument } from "./read-document.ts";
import type { SideTask } from "./read-side.ts";
import type { SideReading } from "./reading.ts";
import { printed } from "./testing/printed-lines.ts";
import { sideOf, zoneOf } from "./testing/reading.ts";

const zone = [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  "7408122F1204159UTO<<<<<<<<<<<6",
  "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
];
const [front, back] = [Uint8Array.of(1), Uint8Array.of(2)];
const { mrz: _zone, ...plain } = sideOf({ lines: printed([0.1, 0.1, "SOLÍS"], [0.1, 0.2, "ANA"]), faces: 1 });
const print = printed([0.1, 0.1, "A"], [0.1, 0.2, "B"], [0.1, 0.3, "C"]);

/** Sides as they would be read, and what was asked of each in order. */
const reading = (ahead: SideReading, behind: SideReading) => {
  const asked: (readonly [side: "front" | "back", zone: boolean])[] = [];
  const read = makeReadDocument(async ([first], task: SideTask) => {
    const side = first === 1 ? "front" : "back";
    asked.push([side, task.zone]);
    const { mrz, ...rest } = side === "front" ? ahead : behind;
    return { ...rest, ...(task.zone && mrz ? { mrz } : {}) };
  });
  return { asked, read };
};

describe("reading both sides", () => {
  it("searches a zone on a card's back alone where that has one", async () => {
    const { asked, read } = reading(plain, { ...plain, mrz: zoneOf(zone) });
    await read({ front, back }, { type: "ID_CARD" });
    expect(asked).toEqual([
      ["front", false],
      ["back", true],
    ]);
  });

  it("does not search it on a front that was understood without one", async () => {
    const { asked, read } = reading(plain, { ...plain, lines: print });
    await read({ front, back }, { type: "ID_CARD" });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["was not understood", { ...plain, lines: [], faces: 0 }],
    ["prints fillers", { ...plain, lines: printed([0.1, 0.9, "I<UTOD231458907<<<<"]) }],
  ])("searches it on a front that %s", async (_what, seen) => {
    const { asked, read } = reading({ ...seen, mrz: zoneOf(zone) }, plain);
    const document = await read({ front, back }, { type: "ID_CARD" });
    expect(asked.slice(2)).toEqual([["front", true]]);
    expect([document.front, document.back].map((side) => side?.mrz?.lines)).toContainEqual(zone);
  });

  it("searches it on a passport's page, and behind it only where the page has none", async () => {
    const [page, blank] = [
      { ...plain, mrz: zoneOf(zone) },
      { ...plain, lines: [], faces: 0 },
    ];
    const both = [
      ["front", true],
      ["back", false],
    ];
    const whole = reading(page, blank);
    await whole.read({ front, back }, { type: "PASSPORT" });
    expect(whole.asked).toEqual(both);
    const turned = reading(plain, { ...blank, mrz: zoneOf(zone) });
    const { back: behind } = await turned.read({ front, back }, { type: "PASSPORT" });
    expect(turned.asked).toEqual([...both, ["back", true]]);
    expect(behind?.mrz?.lines).toEqual(zone);
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
