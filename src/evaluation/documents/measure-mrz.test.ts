import { describe, expect, it } from "vitest";
import { type MrzVector, measureMrzVectors } from "./measure-mrz.ts";

const lines = [
  "I<UTOD231458907<<<<<<<<<<<<<<<",
  "7408122F1204159UTO<<<<<<<<<<<6",
  "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
] as const;
const wrong = [lines[0], lines[1].replace("7408122", "7408123"), lines[2]];
const vector = (more: Partial<MrzVector>): MrzVector => ({
  id: "a",
  lines,
  isValid: true,
  expected: {},
  failing: [],
  ...more,
});
const measure = (...vectors: readonly MrzVector[]) => measureMrzVectors(vectors, "2026-06-30");

describe("measuring MRZ texts", () => {
  it("counts the results that agree with the list", () => {
    const expected = {
      format: "TD1",
      documentCode: "I",
      issuer: "UTO",
      documentNumber: "D23145890",
      nationality: "UTO",
      birth: "740812",
      sex: "F",
      expiry: "120415",
      surname: "ERIKSSON",
      givenNames: "ANNA MARIA",
      optional1: "",
      optional2: "",
      documentNumberDigit: "7",
      birthDigit: "2",
      expiryDigit: "9",
      compositeDigit: "6",
    };
    const report = measure(
      vector({ expected }),
      vector({ lines: wrong, isValid: false, failing: ["birth", "composite"] }),
    );
    expect(report).toMatchObject({
      vectors: 2,
      valid: { accepted: { n: 1, count: 1 }, values: { n: 1, count: 1 } },
      invalid: { refused: { n: 1, count: 1 }, faultNamed: { n: 1, count: 1 } },
      mistakes: [],
    });
  });

  it("reports each text with another result, and the difference", () => {
    const report = measure(
      vector({ id: "refused", lines: wrong }),
      vector({ id: "accepted", isValid: false }),
      vector({ id: "value", expected: { surname: "ERIKSON" } }),
      vector({ id: "unnamed", lines: wrong, isValid: false, failing: ["expiry"] }),
    );
    expect(report.mistakes).toEqual([
      { id: "refused", what: "refused, though valid: birth, composite" },
      { id: "accepted", what: "accepted, though invalid" },
      { id: "value", what: "surname is ERIKSSON, not ERIKSON" },
      { id: "unnamed", what: "named birth, composite instead of expiry" },
    ]);
    expect(report.valid).toMatchObject({ accepted: { n: 2, count: 1 }, values: { count: 0 } });
    expect(report.invalid).toMatchObject({ refused: { n: 2, count: 1 }, faultNamed: { count: 0 } });
  });

  it("accepts the first optional data with and without the rest of a long number", () => {
    const long = ["I<GTM123456789<01017<<<<<<<<<<", "9001011F3501014GTM<<<<<<<<<<<4", lines[2]];
    const report = measure(
      vector({ lines: long, expected: { optional1: "01017" } }),
      vector({ lines: long, expected: { optional1: "", documentNumber: "1234567890101" } }),
    );
    expect(report.mistakes).toEqual([]);
  });
});
