import { describe, expect, it } from "vitest";
import { defaultDocumentPolicy } from "./policy.ts";
import { changeDocumentPolicy } from "./policy-file.ts";

const change = (text: string) => changeDocumentPolicy(defaultDocumentPolicy, text);

describe("a policy file", () => {
  it("changes what it names and nothing else, and is told by the version", () => {
    const policy = change(
      '{"ageYearsMin": 18, "picture": {"jpegQualityMin": 80}, "consequences": {"specimen": "decline"}}',
    );
    const { version, ...rest } = defaultDocumentPolicy;
    expect(policy).toEqual({
      ...rest,
      version: expect.stringMatching(/^document-1\+file-[0-9a-f]{8}$/),
      ageYearsMin: 18,
      picture: { ...rest.picture, jpegQualityMin: 80 },
      consequences: { specimen: "decline" },
    });
    expect(version).not.toBe(policy.version);
    expect(change('{"ageYearsMin": 21}').version).not.toBe(change('{"ageYearsMin": 18}').version);
  });

  it.each([
    ["{", "no JSON"],
    ["[]", "object"],
    ['{"age": 18}', "age"],
    ['{"ageYearsMin": 17}', "ageYearsMin"],
    ['{"picture": {"sharpness": 1}}', "picture"],
    ['{"consequences": {"specimn": "decline"}}', "consequences"],
    ['{"consequences": {"specimen": "refuse"}}', "specimen"],
    ['{"resubmission": {"attemptsMax": 0}}', "attemptsMax"],
    ['{"countries": ["chl"]}', "countries"],
    ['{"expiryGrace": [{"country": "CHL", "acceptedUntil": "soon"}]}', "acceptedUntil"],
  ])("refuses %s and says where it is wrong", (text, place) => {
    expect(() => change(text)).toThrow(place);
  });
});
