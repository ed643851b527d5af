import { isDateField, isRegistryField } from "../registry-field.ts";
import { checked, escaped, type Reading } from "./reading.ts";
import type { AnswerRules, FieldRule, UnknownRule } from "./settings.ts";
import { shapes } from "./settings-schema.ts";

type RawAnswer = {
  readonly unknown?: {
    readonly status?: readonly number[];
    readonly where?: UnknownRule["where"];
  };
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The mapping of a gateway's answer; undefined with problems. */
export const readAnswerRules = (reading: Reading, place: string, raw: RawAnswer): AnswerRules | undefined => {
  const before = reading.problems.length;
  const { status = [], where = {} } = raw.unknown ?? {};
  for (const pointer of Object.keys(where)) {
    if (!shapes.pointer.Check(pointer)) {
      reading.problems.push(`${place}/unknown/where/${escaped(pointer)}: is no JSON pointer such as /codigo`);
    }
  }
  const fields = Object.entries(raw.fields).map(
    ([name, value]) => [name, readRule(reading, `${place}/fields/${escaped(name)}`, name, value)] as const,
  );
  if (reading.problems.length > before) return undefined;
  return { unknown: { status, where }, fields: Object.fromEntries(fields) };
};

const readRule = (reading: Reading, place: string, name: string, value: unknown): FieldRule | undefined => {
  if (!shapes.fieldName.Check(name)) {
    reading.problems.push(
      `${place}: there is no such field: docs/guides/integrate/civil-registries.md lists them`,
    );
    return undefined;
  }
  const isWhole = typeof value === "object" && value !== null && !Array.isArray(value);
  const raw = checked(reading, shapes.rule, place, isWhole ? value : { from: value });
  if (raw === undefined) return undefined;
  const { format, values } = raw;
  const isDate = isRegistryField(name) && isDateField(name);
  if (format !== undefined && !isDate) reading.problems.push(`${place}/format: ${name} is no date`);
  if (values !== undefined && name === "photo") {
    reading.problems.push(`${place}/values: ${name} has no words to replace`);
  }
  const places = typeof raw.from === "string" ? [raw.from] : raw.from;
  const from = checked(reading, shapes.places, isWhole ? `${place}/from` : place, places);
  if (from === undefined) return undefined;
  if (from.length > 1 && (isDate || name === "photo")) {
    reading.problems.push(`${place}: ${name} stands in one place`);
  }
  return { from, ...(format !== undefined && { format }), ...(values !== undefined && { values }) };
};
