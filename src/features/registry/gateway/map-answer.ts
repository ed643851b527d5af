import { readBase64 } from "#contract/base64";
import { withoutRefusedLinks } from "../handed-link.ts";
import { readPointer } from "../json-pointer.ts";
import type { RegistryAnswer } from "../registry.ts";
import { isRegistryField } from "../registry-field.ts";
import type { AnswerRules, FieldRule } from "../settings/settings.ts";
import { RegistryFault } from "./fault.ts";
import { readField } from "./read-value.ts";

/**
 * Whether a value at one of the places states that there is no such person. A missing value counts as null.
 */
export const statesUnknown = (answer: unknown, { where }: AnswerRules["unknown"]): boolean =>
  Object.entries(where).some(([pointer, values]) => {
    const found = readPointer(answer, pointer) ?? null;
    return values.some((value) => value === found);
  });

/**
 * The person of an answer, without links that may not be handed on. Pure. Throws RegistryFault for a value of
 * another form than the settings state, and for an answer without any of the fields.
 */
export const mapAnswer = (answer: unknown, rules: AnswerRules, now: Date): RegistryAnswer => {
  if (statesUnknown(answer, rules.unknown)) return { kind: "unknown" };
  const fields = Object.fromEntries(
    Object.entries(rules.fields).flatMap(([name, rule]) => {
      const value = isRegistryField(name) ? readField(answer, name, rule, now) : undefined;
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const photo = readPhoto(answer, rules.fields.photo);
  const person = withoutRefusedLinks({ fields, ...(photo !== undefined && { photo }) });
  if (Object.keys(person.fields).length === 0 && photo === undefined) {
    throw new RegistryFault("its answer holds none of the fields that the settings name");
  }
  return { kind: "person", person };
};

/** The bytes of a photo, not decoded; undefined where there is none. */
const readPhoto = (answer: unknown, rule: FieldRule | undefined): Uint8Array | undefined => {
  if (rule === undefined) return undefined;
  const value = readPointer(answer, rule.from[0] ?? "");
  if (value === undefined || value === null || value === "") return undefined;
  const { bytes } = typeof value === "string" ? readBase64(value) : {};
  if (bytes === undefined) throw new RegistryFault("photo is not valid Base64", { isAboutPerson: true });
  return bytes;
};
