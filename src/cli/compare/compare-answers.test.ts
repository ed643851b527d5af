import { describe, expect, it } from "vitest";
import { type Answer, compareAnswers } from "./compare-answers.ts";

const rules = { similarityTolerance: 0.05, ignored: new Set<string>() };
const answer = (body: unknown, status = 200): Answer => ({ status, body });
const compare = (theirs: unknown, ours: unknown, change = {}) =>
  compareAnswers(answer(theirs), answer(ours), { ...rules, ...change });
const differences = (theirs: unknown, ours: unknown) => compare(theirs, ours).differences;

describe("values that differ by nature", () => {
  it.each([
    ["serviceTransactionId", "2db602ee-3564-4304-af95-92a52eaae12d", "0f8fad5b-d9cb-469f-a165-70867728950e"],
    ["timestamp", "2026-11-21T09:30:00.000Z", "2026-11-21T09:30:01.412Z"],
    ["serviceTime", "2235", "7"],
    ["serviceResultLog", "[identity] Service executed ok", "Done"],
    ["registeredTemplateRaw", "A".repeat(200), "b".repeat(9000)],
  ])("are equal in the same shape: %s", (field, theirs, ours) => {
    expect(differences({ [field]: theirs }, { [field]: ours })).toEqual([]);
  });

  it("differ in type, shape or presence", () => {
    expect(
      differences(
        {
          serviceTime: "2235",
          timestamp: "2026-11-21T09:30:00.000Z",
          scanReference: "x1",
          reason: "Expired",
        },
        { serviceTime: 2235, timestamp: "21.11.2026", reason: null },
      ),
    ).toEqual([
      { field: "serviceTime", theirs: "digits", ours: "number" },
      { field: "timestamp", theirs: "time", ours: "text" },
      { field: "scanReference", theirs: "text", ours: "absent" },
      { field: "reason", theirs: "text", ours: "null" },
    ]);
  });
});

describe("results", () => {
  it("are compared exactly and shown", () => {
    expect(
      differences(
        { passiveLivenessResult: 3, verification: { code: 9001, status: "Approved", reasonCode: null } },
        { passiveLivenessResult: 17, verification: { code: 9102, status: "Declined", reasonCode: 102 } },
      ),
    ).toEqual([
      { field: "passiveLivenessResult", theirs: "3", ours: "17" },
      { field: "verification.code", theirs: "9001", ours: "9102" },
      { field: "verification.status", theirs: "Approved", ours: "Declined" },
      { field: "verification.reasonCode", theirs: "null", ours: "102" },
    ]);
  });

  it("are found in texts that hold JSON", () => {
    const diagnostic = (decision: string) => ({
      serviceResult: JSON.stringify({
        result: { decision },
        api_version: decision === "Spoof" ? "2.0" : "1.1",
      }),
    });
    expect(differences(diagnostic("Credible"), diagnostic("Spoof"))).toEqual([
      { field: "serviceResult.result.decision", theirs: "Credible", ours: "Spoof" },
    ]);
  });

  it("that are JSON in a text differ from the same JSON as an object or list", () => {
    const inText = { serviceResult: '{"code":1}', list: "[1]", same: '{"code":1}' };
    const opened = { serviceResult: { code: 1 }, list: [1], same: ' {"code": 1}' };
    expect(differences(inText, opened)).toEqual([
      { field: "serviceResult", theirs: "JSON text", ours: "object" },
      { field: "list", theirs: "JSON text", ours: "list of 1" },
    ]);
    expect(differences(opened, inText)).toEqual([
      { field: "serviceResult", theirs: "object", ours: "JSON text" },
      { field: "list", theirs: "list of 1", ours: "JSON text" },
    ]);
    expect(differences({ list: "[1" }, { list: [1] })).toEqual([
      { field: "list", theirs: "text of 2", ours: "list of 1" },
    ]);
  });

  it("include the status, beside which bodies are not compared", () => {
    const ours = answer({ failure: "token_expired", detail: "Seal again" }, 422);
    expect(compareAnswers(answer({ serviceResultCode: 0 }), ours, rules)).toEqual({
      differences: [{ field: "HTTP status", theirs: "200", ours: "422 token_expired" }],
      added: [],
      isRefusal: false,
    });
  });
});

describe("estimates", () => {
  it("are equal within their tolerance", () => {
    const similarity = "serviceFacialSimilarityResult";
    expect(differences({ [similarity]: 0.99 }, { [similarity]: 0.95 })).toEqual([]);
    expect(differences({ [similarity]: 0.99 }, { [similarity]: 0.9 })).toEqual([
      { field: similarity, theirs: "number", ours: "number", gap: expect.closeTo(0.09, 9) },
    ]);
    expect(
      compare({ [similarity]: 0.99 }, { [similarity]: 0.9 }, { similarityTolerance: 0.1 }).differences,
    ).toEqual([]);
    expect(differences({ iod: 100 }, { iod: 91 })).toEqual([]);
    expect(differences({ iod: 100 }, { iod: 80 })).toHaveLength(1);
  });

  it.each([
    ["age", 30, 36, 36.01],
    ["iod", 100, 90, 89.9],
    ["faceConfidence", 0.99, 0.89, 0.88],
    ["OVERALL_RATING", 0.5, 0.6, 0.61],
    ["MatchingSidesScore", 0.5, 0.4, 0.39],
    ["BACK_CONFIDENCE", 0.5, 0.4, 0.39],
    ["FRONT_CONFIDENCE", 0.5, 0.6, 0.61],
  ])("have a tolerance: %s of %d is %d, and not %d", (field, theirs, near, far) => {
    expect(differences({ [field]: theirs }, { [field]: near })).toEqual([]);
    expect(differences({ [field]: theirs }, { [field]: far })).toEqual([
      { field, theirs: "number", ours: "number", gap: expect.any(Number) },
    ]);
  });

  it("differ where one is no number", () => {
    const field = "facialAuthenticationSimilarity";
    expect(differences({ [field]: null }, { [field]: 0 })).toEqual([
      { field, theirs: "null", ours: "number" },
    ]);
  });
});

describe("personal values", () => {
  const theirs = {
    firstName: "MARÍA JOSÉ",
    lastName: "PEREZ",
    idNumber: 12_345_678,
    dateOfBirth: "1974-08-12",
    gender: "F",
    "12.345.678-9": { note: "x" },
  };
  const ours = { ...theirs, firstName: "MARIA JOSE", lastName: "PEREIRA", idNumber: "12345678", gender: "M" };

  it("are compared, and only kind and length are shown", () => {
    const found = compare(theirs, { ...ours, dateOfBirth: "12.08.1974", "12.345.678-9": { note: "y" } });
    expect(found.differences).toEqual([
      { field: "firstName", theirs: "text of 10", ours: "the same but for case, accents or spaces" },
      { field: "lastName", theirs: "text of 5", ours: "text of 7" },
      { field: "idNumber", theirs: "number", ours: "digits of 8" },
      { field: "dateOfBirth", theirs: "date of 10", ours: "text of 10" },
      { field: "gender", theirs: "text of 1", ours: "text of 1" },
      { field: "(name not shown).note", theirs: "text of 1", ours: "text of 1" },
    ]);
  });

  it("never stand in a result, also in fields whose other values are shown", () => {
    const place = {
      status: "PEREZ",
      decision: "PEREZ",
      type: "PEREZ",
      code: "PEREZ",
      PEREZ_12345678: "PEREZ",
    };
    const found = compare(place, { status: "x", decision: "x", type: "x", code: 1, PEREZ_12345678: "x" });
    expect(found.differences).toHaveLength(5);
    expect(JSON.stringify(found)).not.toMatch(/PEREZ"|"PEREZ|12345678/);
  });
});

describe("fields", () => {
  it("that ours has in addition are listed, and are no differences", () => {
    const found = compare({ a: { b: 1 } }, { a: { b: 1, outcome: "approved" }, fmrAtScore: null });
    expect(found).toEqual({ differences: [], added: ["a.outcome", "fmrAtScore"], isRefusal: false });
  });

  it("are left out by name or by path", () => {
    const theirs = { a: { b: 1 }, b: 1, c: 1 };
    const ours = { a: { b: 2 }, b: 2, c: 2 };
    const fieldsWithout = (...ignored: readonly string[]) =>
      compare(theirs, ours, { ignored: new Set(ignored) }).differences.map(({ field }) => field);
    expect(fieldsWithout("b")).toEqual(["c"]);
    expect(fieldsWithout("a.b")).toEqual(["b", "c"]);
  });

  it("of lists are compared item by item, lists of other lengths as a whole", () => {
    expect(differences({ additionalReasonCodes: [102, 105] }, { additionalReasonCodes: [102, 106] })).toEqual(
      [{ field: "additionalReasonCodes[]", theirs: "105", ours: "106" }],
    );
    expect(differences({ codes: [1] }, { codes: [] })).toEqual([
      { field: "codes", theirs: "list of 1", ours: "list of 0" },
    ]);
  });

  it("are bounded in depth and number", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`);
    expect(differences(deep, deep)).toEqual([]);
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`f${i % 100}x${i >> 6}`, i]));
    expect(differences(many, {}).length).toBeLessThanOrEqual(5000);
    expect(differences(many, {}).at(-1)?.field).toBe("(further fields)");
  });
});

describe("refusals of both services", () => {
  it("with one status are equal whatever their wording, and marked", () => {
    const theirs = answer({ status: 400, title: "Bad request", errors: ["country is missing"] }, 400);
    const ours = answer({ status: 400, title: "Invalid", errors: ["Name the country"] }, 400);
    expect(compareAnswers(theirs, ours, rules)).toEqual({ differences: [], added: [], isRefusal: true });
  });

  it("without a body in JSON differ from those with one", () => {
    expect(compareAnswers(answer(undefined, 502), answer({ status: 502 }, 502), rules).differences).toEqual([
      { field: "body", theirs: "no JSON", ours: "JSON" },
    ]);
    expect(compareAnswers(answer(undefined, 502), answer(undefined, 502), rules).differences).toEqual([]);
  });
});
