import { describe, expect, it } from "vitest";
import { type CivilResult, comparedFields, identityFields } from "#contract/civil-code";
import { comparePerson, unknownPerson } from "./compare-person.ts";
import { registryOf } from "./countries/countries.ts";
import { judgeOutcome } from "./judge-outcome.ts";

const day = "2026-11-24";
const compare = (sent: object, held: object) =>
  Object.fromEntries(
    comparePerson(sent, held, registryOf("ECU"), day).map(({ field, result }) => [field, result]),
  );

describe("a person and a registry", () => {
  it("compare field by field, each by its own rule", () => {
    const sent = {
      documentNumber: "171003406-5",
      lastName: "QUISPE MAMANI",
      firstName: "ROSA",
      dateOfBirth: "1990-01-31",
      gender: "F",
      nationality: "ECU",
      civilStatus: "CASADA",
      expiryDate: "2030-01-01",
      motherName: "MAMANI LUZ",
    };
    const held = {
      documentNumber: "1710034065",
      lastName: "Quispe Mamani",
      firstName: "Rosa Elena",
      dateOfBirth: "1990-01-30",
      gender: "MUJER",
      nationality: "ECUATORIANA",
      civilStatus: "SOLTERO",
      expiryDate: "sin fecha",
      motherName: "LUZ MAMANI",
    };
    expect(compare(sent, held)).toEqual({
      documentNumber: "agrees",
      lastName: "agrees",
      firstName: "similar",
      dateOfBirth: "different",
      gender: "agrees",
      nationality: "agrees",
      civilStatus: "different",
      expiryDate: "notComparable",
      motherName: "similar",
    });
  });

  it("state which side lacks a value, and leave out what neither has", () => {
    expect(compare({ lastName: "SOLIS", gender: "F" }, { dateOfBirth: "1990-01-31", gender: "F" })).toEqual({
      lastName: "notHeld",
      dateOfBirth: "notProvided",
      gender: "agrees",
    });
    expect(compare({}, {})).toEqual({});
    expect(compare({ lastName: "SOLIS", firstName: "ANA" }, {})).toEqual({
      lastName: "notHeld",
      firstName: "notHeld",
    });
  });

  it("compare a name that the registry does not part with both fields of the document", () => {
    expect(compare({ lastName: "SOLIS", firstName: "ANA" }, { lastName: "Solís Ana" })).toEqual({
      lastName: "agrees",
      firstName: "agrees",
    });
  });

  it("have code 5 for every value that was sent where the registry does not have the person", () => {
    expect(unknownPerson({ documentNumber: "1", gender: "F" })).toEqual([
      { field: "documentNumber", result: "unknownPerson" },
      { field: "gender", result: "unknownPerson" },
    ]);
  });
});

describe("the outcome", () => {
  const of = (
    results: Partial<Record<(typeof comparedFields)[number], CivilResult>>,
    facial?: 0 | 1 | 3 | 5,
    shown: readonly (typeof comparedFields)[number][] = comparedFields,
  ) =>
    judgeOutcome({
      isKnown: true,
      values: comparedFields.flatMap((field) => {
        const result = results[field];
        return result === undefined ? [] : [{ field, result }];
      }),
      shown,
      ...(facial !== undefined && { facial }),
    });

  it.each(identityFields)("of data is decided by %s", (field) => {
    expect(of({ [field]: "agrees" })).toBe("approved");
    expect(of({ [field]: "similar" })).toBe("approved");
    expect(of({ [field]: "different" })).toBe("rejected");
    expect(of({ [field]: "notComparable" })).toBe("retry");
    expect(of({ [field]: "notHeld" })).toBe("retry");
    expect(of({ [field]: "notProvided" })).toBe("retry");
  });

  it("is not approved by what was only sent, and is rejected by it", () => {
    const sent = { documentNumber: "agrees", gender: "agrees" } as const;
    expect(of(sent, 3, [])).toBe("retry");
    expect(of(sent, 3, ["lastName"])).toBe("retry");
    expect(of(sent, 3, ["gender"])).toBe("approved");
    expect(of({ documentNumber: "agrees", gender: "different" }, 3, [])).toBe("rejected");
  });

  it("of data is not approved by a document whose sides may be of two persons, and still rejected by it", () => {
    const agreeing = { field: "lastName", result: "agrees" } as const;
    const ofSides = (isDocumentTied: boolean, result: CivilResult = "agrees") =>
      judgeOutcome({
        isKnown: true,
        values: [{ ...agreeing, result }],
        shown: ["lastName"],
        facial: 3,
        isDocumentTied,
      });
    expect([ofSides(true), ofSides(false), ofSides(false, "different")]).toEqual([
      "approved",
      "retry",
      "rejected",
    ]);
    // A face alone rests on no data of the document.
    expect(judgeOutcome({ isKnown: true, shown: [], facial: 3, isDocumentTied: false })).toBe("approved");
  });

  it("is not decided by any other field", () => {
    for (const field of comparedFields.filter((name) => !identityFields.some((one) => one === name))) {
      expect(of({ lastName: "agrees", [field]: "different" })).toBe("approved");
    }
  });

  it("is the worse of data and face, and rejected for an unknown person", () => {
    expect(of({ lastName: "agrees" }, 3)).toBe("approved");
    expect(of({ lastName: "agrees" }, 1)).toBe("rejected");
    expect(of({ lastName: "agrees" }, 5)).toBe("retry");
    expect(of({ lastName: "different" }, 5)).toBe("rejected");
    expect(of({ lastName: "notHeld" }, 3)).toBe("retry");
    expect(judgeOutcome({ isKnown: true, shown: [], facial: 3 })).toBe("approved");
    expect(judgeOutcome({ isKnown: true, shown: [], facial: 0 })).toBe("retry");
    expect(judgeOutcome({ isKnown: false, shown: [], facial: 0 })).toBe("rejected");
  });
});
