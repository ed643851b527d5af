/** The record of a call as text: what it answered, what was found, and every figure. */
import { type Static, Type } from "typebox";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { makeCheck } from "#contract/make-check";
import type { showTransactionRoute } from "#contract/transaction.routes";
import { verificationCode } from "#contract/verification-code";
import { shortNumber } from "../kit/short-number.ts";

/** What `GET /operator/transactions/{transactionId}` answers. */
export type ShownRecord = Static<typeof showTransactionRoute.response>;

const findingSchema = Type.Object({
  name: Type.String(),
  holds: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  code: Type.Optional(Type.Number()),
  evidence: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const keptFinding = makeCheck(findingSchema);
type KeptFinding = Static<typeof findingSchema>;

const isGroup = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const plain = (value: unknown): string =>
  typeof value === "number" ? shortNumber(value) : typeof value === "string" ? value : JSON.stringify(value);

/** Every figure with its path: `bestImage.face.eyeDistancePx`. */
const flatten = (value: unknown, path: string): readonly (readonly [string, string])[] => {
  const entries = Array.isArray(value)
    ? [...value.entries()]
    : isGroup(value)
      ? Object.entries(value)
      : undefined;
  if (entries === undefined || entries.length === 0) return value === null ? [] : [[path, plain(value)]];
  return entries.flatMap(([name, part]) => flatten(part, path === "" ? String(name) : `${path}.${name}`));
};

/** The names of result numbers, by the field that holds them. */
const namesOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  facial: facialAuthenticationNumber,
  liveness: livenessNumber,
  code: verificationCode,
};

const named = (field: string, value: string): string => {
  const table = namesOf[field] ?? {};
  const name = Object.keys(table).find((one) => String(table[one]) === value);
  return name === undefined ? value : `${value} ${name}`;
};

const findingText = ({ code, evidence = {} }: KeptFinding): string => {
  const figures = Object.entries(evidence).map(([name, value]) => `${name} ${plain(value)}`);
  return [code === undefined ? "withheld: it concerns the holder" : String(code), ...figures].join(", ");
};

/** `findings` of the measurements; they have their own lines. */
const findingsIn = (measurements: ShownRecord["measurements"]): readonly KeptFinding[] => {
  const listed = measurements?.["findings"];
  return Array.isArray(listed) ? listed.filter((one): one is KeptFinding => keptFinding.Check(one)) : [];
};

const isTrue = ({ holds }: KeptFinding): boolean => holds === true;

const block = (heading: string, rows: readonly (readonly [string, string])[]): readonly string[] => {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([name]) => name.length));
  return ["", heading, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)];
};

/** The story of a call, one text per line. */
export const describeRecord = (record: ShownRecord): readonly string[] => {
  const { endpoint, transactionId, at, environment, keyId, result, measurements, policyVersion, models } =
    record;
  const { findings: _, ...others } = measurements ?? {};
  const findings = findingsIn(measurements);
  const open = findings.filter(({ holds }) => holds === "unknown");
  return [
    `${endpoint} ${transactionId}`,
    `received ${at}, ${environment}, key ${keyId}`,
    `policy ${policyVersion || "none"}`,
    ...block(
      "Result",
      flatten(result, "").map(([name, value]) => [name, named(name, value)]),
    ),
    ...block(
      "Findings that hold",
      findings.filter(isTrue).map((one) => [one.name, findingText(one)]),
    ),
    ...block(
      "Findings without an answer",
      open.map((one) => [one.name, findingText(one)]),
    ),
    ...(measurements === null
      ? ["", "No measurement is kept: the call has none, its retention has ended, or its keys are destroyed."]
      : block("Measurements", flatten(others, ""))),
    ...block("Models", Object.entries(models)),
  ];
};
