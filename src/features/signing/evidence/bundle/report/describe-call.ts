import { facialAuthenticationNumber } from "#contract/facial-authentication";
import type { Json } from "#contract/json";
import { livenessNumber } from "#contract/liveness";
import { isReasonCode, reasonText } from "#contract/reason-code";
import { verificationCode } from "#contract/verification-code";
import type { BundleTransaction } from "../content.ts";

/** A label and its value. */
export type Row = readonly [string, string];

/** Most findings of a document, and cues of an image, on the pages. */
const figuresMax = 60;

/** The rows of one call or decision: result in numbers and words, then the figures that decided. */
export const describeCall = ({ id, record }: BundleTransaction): readonly Row[] => {
  if (record === null)
    return [
      ["Transaction", id],
      ["Record", "removed at the end of its retention"],
    ];
  return [
    ["Transaction", id],
    ...describeResult(record.result),
    ...describeFigures(membersOf(record.measurements)),
    ...(record.policy === "" ? [] : [["Policy", record.policy] as const]),
    ...record.tokens.map((hash) => ["Input", `SHA-256 ${hash}`] as const),
  ];
};

const wordOf = (table: Readonly<Record<string, number>>, value: Json): string => {
  const word = Object.entries(table).find(([, number]) => number === value)?.[0];
  return word === undefined ? textOf(value) : `${textOf(value)}, ${word}`;
};

/** Members of results with words of their own. */
const describeMember = (name: string, value: Json): Row => {
  switch (name) {
    case "facial":
      return ["Face comparison", wordOf(facialAuthenticationNumber, value)];
    case "liveness":
      return ["Passive liveness", wordOf(livenessNumber, value)];
    case "code":
      return ["Result", wordOf(verificationCode, value)];
    case "reasonCode":
      return [
        "Reason",
        typeof value === "number" && isReasonCode(value) ? `${value}, ${reasonText(value)}` : textOf(value),
      ];
    default:
      return [name, textOf(value)];
  }
};

const describeResult = (result: Json): readonly Row[] => {
  const members = Object.entries(membersOf(result)).filter(([, value]) => value !== null && !isEmpty(value));
  return members.length === 0
    ? [["Result", textOf(result)]]
    : members.map(([name, value]) => describeMember(name, value));
};

const describeFigures = (measured: Readonly<Record<string, Json>>): readonly Row[] => {
  const comparison = membersOf(measured["comparison"] ?? null);
  const liveness = membersOf(measured["liveness"] ?? null);
  const attack = membersOf(measured["attack"] ?? null);
  return [
    ...figure("Comparison score", comparison["score"]),
    ...figure("Similarity", comparison["similarity"]),
    ...figure("False match rate at this score", comparison["falseMatchRate"]),
    ...figure("Level of assurance", liveness["assurance"]),
    ...figure("Attack score", liveness["attackScore"]),
    ...cuesOf(liveness["cues"] ?? null),
    ...Object.entries(attack).flatMap(([name, value]) => figure(`Attack on the document: ${name}`, value)),
    ...findingsOf(measured["findings"] ?? null),
  ];
};

const figure = (label: string, value: Json | undefined): readonly Row[] =>
  value === undefined || value === null ? [] : [[label, textOf(value)]];

const cuesOf = (cues: Json): readonly Row[] => {
  const weights = Object.entries(membersOf(cues)).slice(0, figuresMax);
  return weights.length === 0
    ? []
    : [["Cues (weights)", weights.map(([cue, weight]) => `${cue} ${textOf(weight)}`).join(", ")]];
};

/** Findings by their answer, so that a reader sees first what speaks against the document. */
const findingsOf = (findings: Json): readonly Row[] => {
  const listed = (isList(findings) ? findings : []).slice(0, figuresMax).map(membersOf);
  const withAnswer = (holds: Json) =>
    listed
      .filter((one) => one["holds"] === holds)
      .map((one) => `${textOf(one["name"] ?? null)} (${textOf(one["code"] ?? null)})`);
  const kept = listed.filter((one) => !("holds" in one)).map((one) => textOf(one["name"] ?? null));
  const rows = [
    ["Findings that do not hold", withAnswer(false)],
    ["Findings without an answer", withAnswer("unknown")],
    ["Findings that hold", withAnswer(true)],
    ["Findings about the holder, kept from records", kept],
  ] as const;
  return rows.flatMap(([label, names]) => (names.length === 0 ? [] : [[label, names.join(", ")] as const]));
};

const isEmpty = (value: Json): boolean => isList(value) && value.length === 0;

/** Figures with six significant digits; the attachment has all. */
const textOf = (value: Json): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number")
    return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  return isList(value) ? value.map(textOf).join(", ") : JSON.stringify(value);
};

const membersOf = (value: Json): Readonly<Record<string, Json>> =>
  typeof value === "object" && value !== null && !isList(value) ? value : {};

// Array.isArray does not narrow readonly arrays.
const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
