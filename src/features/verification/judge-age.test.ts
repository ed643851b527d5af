import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayBegunEverywhere, judgeAge } from "./judge-age.ts";

const noon = (day: string): Date => new Date(`${day}T12:00:00.000Z`);
const answerOf = (date: string | null, at: Date, over = 18, year: string | null = null) =>
  judgeAge(over, { date, year }, true, at).answer;

describe("the age of a holder", () => {
  it.each([
    ["2008-11-22", "2026-11-21", "no"],
    ["2008-11-21", "2026-11-21", "yes"],
    ["2008-11-20", "2026-11-21", "yes"],
    ["2008-12-01", "2026-11-30", "no"],
    // A birthday on 29 February is reached on 1 March.
    ["2008-02-29", "2026-02-28", "no"],
    ["2008-02-29", "2026-03-01", "yes"],
    ["2008-02-29", "2028-02-29", "yes"],
  ])("born on %s is over 18 on %s: %s", (born, day, expected) => {
    expect(answerOf(born, noon(day))).toBe(expected);
  });

  it("counts a birthday from the time on at which its day has begun everywhere", () => {
    const before = new Date("2026-11-21T11:59:59.999Z");
    expect(dayBegunEverywhere(before)).toBe("2026-11-20");
    expect(answerOf("2008-11-21", before)).toBe("no");
    expect(answerOf("2008-11-21", new Date("2026-11-21T12:00:00.000Z"))).toBe("yes");
  });

  it("follows from a year alone where each day of the year gives one answer", () => {
    const at = noon("2026-06-15");
    expect(answerOf(null, at, 18, "2007")).toBe("yes");
    expect(answerOf(null, at, 18, "2008")).toBe("unknown");
    expect(answerOf(null, at, 18, "2009")).toBe("no");
    expect(judgeAge(18, { date: null, year: "2007" }, true, at).birth).toBe("year");
  });

  it("is unknown without a birth date, with one that is no date, and of a document that was not approved", () => {
    const at = noon("2026-06-15");
    expect(answerOf(null, at)).toBe("unknown");
    expect(answerOf("15.06.1990", at)).toBe("unknown");
    expect(judgeAge(18, { date: "1990-01-01", year: "1990" }, false, at)).toEqual({
      answer: "unknown",
      birth: "date",
      isApproved: false,
      day: "2026-06-15",
    });
  });

  it("states no part of the birth date", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2020 }), fc.integer({ min: 1, max: 120 }), (year, over) => {
        const finding = judgeAge(over, { date: `${year}-02-03`, year: `${year}` }, true, noon("2026-06-15"));
        expect(JSON.stringify(finding)).not.toContain(`${year}-`);
        expect(Object.keys(finding).toSorted()).toEqual(["answer", "birth", "day", "isApproved"]);
      }),
    );
  });

  it("is over every smaller age too", () => {
    fc.assert(
      fc.property(
        fc.date({ min: noon("1920-01-01"), max: noon("2026-01-01"), noInvalidDate: true }),
        fc.integer({ min: 2, max: 120 }),
        (born, over) => {
          const date = born.toISOString().slice(0, 10);
          const at = noon("2026-06-15");
          if (answerOf(date, at, over) === "yes") expect(answerOf(date, at, over - 1)).toBe("yes");
        },
      ),
    );
  });
});
