import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { defaultDocumentPolicy } from "./policy.ts";
import { changeDocumentPolicy } from "./policy-file.ts";

const change = (text: string) => changeDocumentPolicy(defaultDocumentPolicy, text);

describe("a policy file", () => {
  it("changes its own values and nothing else, and is identified by the version", () => {
    const policy = change(
      '{"ageYearsMin": 18, "picture": {"jpegQualityMin": 80}, "consequences": {"specimen": "decline"}}',
    );
    const { version, ...rest } = defaultDocumentPolicy;
    expect(policy).toEqual({
      ...rest,
      version: expect.stringMatching(/^document-6\+file-[0-9a-f]{8}$/),
      ageYearsMin: 18,
      image: { ...rest.image, jpegQualityMin: 80 },
      consequences: { specimen: "decline" },
    });
    expect(version).not.toBe(policy.version);
    expect(change('{"ageYearsMin": 21}').version).not.toBe(change('{"ageYearsMin": 18}').version);
  });

  it("takes an evidence of the portrait that the policy can give", () => {
    const text = '{"portraitEvidenceMin": "reference", "reference": "registeredUser"}';
    expect(change(text).portraitEvidenceMin).toBe("reference");
  });

  it("takes specimens with enough letters and digits of an MRZ", () => {
    const specimens = { numbers: ["A-12-3"], mrzTexts: ["ANNA<<JO", "Ärø<<Bo<1"] };
    expect(change(JSON.stringify({ specimens })).specimens).toEqual(specimens);
  });

  it.each([
    ["{", "not JSON"],
    ["[]", "/: must be object"],
    ['{"age": 18}', "/age: there is no such entry"],
    ['{"ageYearsMin": 17}', "/ageYearsMin: must be one of 13, 14, 16, 18, 20, 21, 25"],
    ['{"ageYearsMin": 17, "age": 18}', "/age: there is no such entry; /ageYearsMin: must"],
    ['{"picture": {"sharpness": 1}}', "picture"],
    ['{"consequences": {"specimn": "decline"}}', "/consequences/specimn: there is no such entry"],
    ['{"consequences": {"specimen": "refuse"}}', "must be one of decline, resubmit, review, ignore"],
    ['{"resubmission": {"attemptsMax": 0}}', "attemptsMax"],
    ['{"countries": ["chl"]}', "countries"],
    ['{"expiryGrace": [{"country": "CHL", "acceptedUntil": "soon"}]}', "acceptedUntil"],
    ['{"expiryGrace": [{"country": "CHL", "acceptedUntil": "2027-02-30"}]}', "is not a calendar date"],
    [
      '{"specimens": {"mrzTexts": ["ANNA<<MARIA", "<<<<<<<<"]}}',
      '/specimens/mrzTexts/1: "<<<<<<<<" has 0 letters',
    ],
    ['{"specimens": {"mrzTexts": ["ANNAM<"]}}', "at least 6"],
    ['{"specimens": {"mrzTexts": ["ИВАНОВА"]}}', "/specimens/mrzTexts/0"],
    ['{"specimens": {"numbers": ["A-1-2-"]}}', '/specimens/numbers/0: "A-1-2-" has 3 letters'],
    ['{"portraitEvidenceMin": "chip"}', "must be one of unproven, print-consistent, reference, ghost"],
    ['{"portraitEvidenceMin": "reference"}', 'reference needs "reference": "registeredUser"'],
    [
      '{"portraitEvidenceMin": "ghost", "consequences": {"portrait-unproven": "ignore"}}',
      "approves documents without the evidence ghost",
    ],
  ])("refuses %s and names the place", (text, place) => {
    expect(() => change(text)).toThrow(place);
  });
});

describe("the guide of deciding", () => {
  const read = (path: string): string =>
    readFileSync(new URL(`../../../../docs/${path}`, import.meta.url), "utf8");

  it("has a policy that is accepted, and grants grace to countries that it serves", () => {
    const [, sample = ""] = /^```json\n(.*?)^```$/ms.exec(read("guides/understand/documents.md")) ?? [];
    const { countries, expiryGrace } = change(sample);
    expect(countries.length).toBeGreaterThan(0);
    for (const { country } of expiryGrace) expect(countries).toContain(country);
  });

  it("states the share of portraits that do not match as the measurement does", () => {
    const row = /^\| card portrait: .*\|$/m.exec(read("measurements/fairness.md"))?.[0] ?? "";
    const [, atHundredth = "0"] =
      row
        .split("|")
        .at(-3)
        ?.match(/[\d.]+/g) ?? [];
    const missed = (100 - Number(atHundredth)).toFixed(1);
    expect(read("guides/understand/documents.md")).toContain(`eight drawn ones (${missed} %)`);
    expect(Math.round(100 / Number(missed))).toBe(8);
  });
});
