import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { MrzValueName, MrzVector } from "#evaluation/documents/measure-mrz";
import type { MrzFault } from "#judging/document/reading/mrz/judge-mrz";
import { CommandError } from "../command.ts";
import { readListText } from "../kit/list-file.ts";

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Optional(Type.Union([type, Type.Null()]));
const Values = Type.Record(Type.String(), Type.Unknown());

/** An MRZ text. `computed` and `icao_strict_valid` are the result of a strict check of the check digits. */
const Entry = Type.Object({
  id: Type.Optional(Type.String()),
  lines: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 10 }),
  format: Nullable(Type.String()),
  valid: Nullable(Type.Boolean()),
  icao_strict_valid: Nullable(Type.Boolean()),
  published_valid: Nullable(Type.Boolean()),
  expected: Nullable(Values),
  computed: Nullable(Values),
});
type Entry = Static<typeof Entry>;
const File = makeCheck(Type.Union([Type.Array(Entry), Type.Object({ vectors: Type.Array(Entry) })]));

const vectorsShape =
  '[{"lines": ["P<UTO…", "L898902…"], "valid": true, "expected": {"surname": "ERIKSSON"}}, …]';

/** Other parsers' names of a value, by our name. */
const aliases: Readonly<Record<MrzValueName, readonly string[]>> = {
  format: ["format"],
  documentCode: ["documentCode", "document_code", "document_type"],
  issuer: ["issuer", "issuingState", "issuing_state", "country"],
  documentNumber: ["documentNumber", "document_number"],
  nationality: ["nationality"],
  birth: ["birth", "birthDate", "birth_date"],
  sex: ["sex"],
  expiry: ["expiry", "expirationDate", "expiry_date"],
  surname: ["surname", "lastName"],
  givenNames: ["givenNames", "firstName", "given_names", "name"],
  optional1: ["optional1", "optional_data", "personalNumber"],
  optional2: ["optional2", "optional_data_2"],
  documentNumberDigit: ["documentNumberCheckDigit", "document_number_hash"],
  birthDigit: ["birthDateCheckDigit", "birth_date_hash"],
  expiryDigit: ["expirationDateCheckDigit", "expiry_date_hash"],
  optionalDigit: ["personalNumberCheckDigit", "optional_data_hash"],
  compositeDigit: ["compositeCheckDigit", "final_hash"],
};

const valueNames = Object.keys(aliases).filter((name): name is MrzValueName => Object.hasOwn(aliases, name));

/** The French card's number has parts; the office code is published with it and compared with nothing. */
const frenchNames = ["issueDate", "administrativeCode", "administrativeCode2"];

const knownNames = new Set([...Object.values(aliases).flat(), ...frenchNames]);

/** A misspelt name, or a value that is not a text, would count as a correct value. */
const askExpected = (path: string, id: string, { expected }: Entry): void => {
  const entries = Object.entries(expected ?? {});
  const unknown = entries.map(([name]) => name).filter((name) => !knownNames.has(name));
  if (unknown.length > 0) {
    throw new CommandError(
      `${id} of the list ${path} expects ${unknown.join(", ")}, an unknown name. Use: ${valueNames.flatMap((name) => aliases[name][0] ?? []).join(", ")}.`,
    );
  }
  const [wrong] = entries.find(([, value]) => value !== null && typeof value !== "string") ?? [];
  if (wrong !== undefined) {
    throw new CommandError(
      `${id} of the list ${path} expects of ${wrong} which is not text. Put it in quotes.`,
    );
  }
};

const faultsByName: Readonly<Record<string, MrzFault>> = {
  charset: "alphabet",
  document_number: "documentNumber",
  birth_date: "birth",
  expiry_date: "expiry",
  optional1: "optional",
  composite: "composite",
};

const formats: Readonly<Record<string, string>> = {
  MRVA: "MRV-A",
  MRVB: "MRV-B",
  FRENCH_NATIONAL_ID: "FRA-ID",
  FRENCH_DRIVING_LICENSE: "FRA-LICENCE",
  SWISS_DRIVING_LICENSE: "CHE-LICENCE",
};
const sexes: Readonly<Record<string, string>> = { male: "M", female: "F", nonspecified: "X", "<": "X" };

const textOf = (values: Record<string, unknown>, names: readonly string[]): string | undefined => {
  const value = names.map((name) => values[name]).find((candidate) => typeof candidate === "string");
  return typeof value === "string" ? value : undefined;
};

/** The French card's number has three parts: issue, department, number. */
const frenchNumber = (values: Record<string, unknown>): string | undefined => {
  const parts = ["issueDate", "administrativeCode2", "documentNumber"].map((name) => textOf(values, [name]));
  return parts.includes(undefined) ? undefined : parts.join("");
};

const valueOf = (values: Record<string, unknown>, name: MrzValueName): string | undefined => {
  const text = textOf(values, aliases[name]);
  if (text === undefined || name === "format") {
    return text === undefined ? undefined : (formats[text] ?? text);
  }
  if (name === "sex") {
    return sexes[text] ?? text;
  }
  return name === "documentNumber" ? (frenchNumber(values) ?? text) : text;
};

/** National formats are not ICAO formats: a strict check does not apply to them. */
const isNational = ({ format }: Entry): boolean => /^(FRENCH|SWISS|FRA|CHE)/.test(format ?? "");

const verdictOf = (entry: Entry): boolean | undefined => {
  const strict = isNational(entry) ? undefined : entry.icao_strict_valid;
  return entry.valid ?? strict ?? entry.published_valid ?? undefined;
};

/** The result of a strict reading replaces the values that the author of the list wrote. */
const expectedOf = (entry: Entry): MrzVector["expected"] => {
  const sources = [isNational(entry) ? {} : (entry.computed ?? {}), entry.expected ?? {}];
  const expected: { [name in MrzValueName]?: string } = {};
  for (const name of valueNames) {
    const value = sources.map((values) => valueOf(values, name)).find((text) => text !== undefined);
    if (value !== undefined) expected[name] = value;
  }
  return expected;
};

const failingOf = (entry: Entry): readonly MrzFault[] => {
  const checks: unknown = isNational(entry) ? undefined : entry.computed?.["checks"];
  const failed = typeof checks === "object" && checks !== null ? Object.entries(checks) : [];
  return failed.flatMap(([name, holds]) => {
    const fault = faultsByName[name];
    return holds === false && fault !== undefined ? [fault] : [];
  });
};

/** Reads the texts of a file, and the number without a judgement. Throws CommandError for a wrong file. */
export const readMrzVectors = async (
  path: string,
): Promise<{ readonly vectors: readonly MrzVector[]; readonly withoutVerdict: number }> => {
  const text = await readListText(path);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new CommandError(`The list ${path} is not JSON. It takes an array: ${vectorsShape}`);
  }
  if (!File.Check(file)) {
    throw new CommandError(`The list ${path} has another shape. It takes ${vectorsShape}`);
  }
  const entries = Array.isArray(file) ? file : file.vectors;
  const vectors = entries.flatMap((entry, i) => {
    const isValid = verdictOf(entry);
    const id = entry.id ?? `entry ${i + 1}`;
    askExpected(path, id, entry);
    return isValid === undefined
      ? []
      : [{ id, lines: entry.lines, isValid, expected: expectedOf(entry), failing: failingOf(entry) }];
  });
  return { vectors, withoutVerdict: entries.length - vectors.length };
};
