import { describe, expect, it } from "vitest";
import { readPerson } from "./read-person.ts";

const at = (text: string): Date => new Date(text);
const number = { documentNumber: " 171003406-5 " };
const read = (cells: Readonly<Record<string, unknown>>) =>
  readPerson(
    cells,
    (text) => (/^\d{9}-\d$/.test(text) ? text.replace("-", "") : undefined),
    at("2026-11-25T20:00:00Z"),
  );

describe("a row of an import", () => {
  it("states a person under the canonical number, without empty values", () => {
    expect(
      read({
        ...number,
        firstName: " ANA ",
        gender: "X",
        dateOfBirth: "1990-02-28",
        city: "",
        motherName: null,
        photo: "a.jpg",
      }),
    ).toEqual({
      documentNumber: "1710034065",
      fields: { documentNumber: "1710034065", firstName: "ANA", gender: "X", dateOfBirth: "1990-02-28" },
      photo: "a.jpg",
    });
  });

  it.each([
    ["number-missing", "documentNumber", { documentNumber: " " }],
    ["number-wrong", "documentNumber", { documentNumber: "171" }],
    ["value-not-text", "documentNumber", { documentNumber: 1_710_034_065 }],
    ["value-not-text", "photo", { ...number, photo: ["a"] }],
    ["value-too-long", "city", { ...number, city: "x".repeat(501) }],
    ["value-too-long", "photoUrl", { ...number, photoUrl: "x".repeat(2_001) }],
    ["value-with-control-characters", "city", { ...number, city: "a\u0000" }],
    ["value-with-control-characters", "city", { ...number, city: "\u202ea" }],
    ["value-with-control-characters", "city", { ...number, city: "\ud800" }],
    ["date-wrong", "dateOfBirth", { ...number, dateOfBirth: "1990-02-29" }],
    ["date-wrong", "expiryDate", { ...number, expiryDate: "01/02/2030" }],
    ["date-in-future", "dateOfBirth", { ...number, dateOfBirth: "2026-11-27" }],
    ["date-in-future", "issueDate", { ...number, issueDate: "2027-01-01" }],
    ["gender-wrong", "gender", { ...number, gender: "H" }],
    ["country-wrong", "nationality", { ...number, nationality: "EC" }],
    ["link-wrong", "photoUrl", { ...number, photoUrl: "javascript:alert(1)" }],
    ["link-wrong", "signatureUrl", { ...number, signatureUrl: "http://169.254.169.254/latest/meta-data" }],
  ])("is refused as %s of %s", (fault, column, cells) => {
    expect(read(cells)).toEqual({ fault, column });
  });

  it("with an unknown member is refused without the member's name, which may be personal", () => {
    expect(read({ ...number, "ANA MARÍA": "x" })).toEqual({ fault: "column-unknown" });
  });

  it("takes a birth of the day that may have begun at the registry, and an expiry in the future", () => {
    const fields = { dateOfBirth: "2026-11-26", expiryDate: "2036-01-01" };
    expect(read({ ...number, ...fields })).toMatchObject({ fields });
  });

  it("takes the longest values", () => {
    const longestLink = "https://registry.example/".padEnd(2_000, "x");
    expect(read({ ...number, city: "x".repeat(500), photoUrl: longestLink })).toMatchObject({
      documentNumber: "1710034065",
    });
  });
});
