import { isObject } from "../../scripts/contract/json.ts";
import type { Member, Members } from "./interface-types.ts";

const parsed = (text: unknown): unknown => {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

const fault = (place: string, wanted: string, value: unknown): readonly string[] => [
  `${place}: ${wanted}, not ${value === undefined ? "absent" : JSON.stringify(value).slice(0, 60)}`,
];

type Plain = { readonly wanted: string; readonly accepts: (value: unknown) => boolean };

const isInteger = (value: unknown): boolean => Number.isSafeInteger(value);

const plain: Readonly<Record<Extract<Member, string>, Plain>> = {
  any: { wanted: "a value", accepts: (value) => value !== undefined },
  text: { wanted: "a text or null", accepts: (value) => value === null || typeof value === "string" },
  integer: { wanted: "an integer", accepts: isInteger },
  "integer or null": {
    wanted: "an integer or null",
    accepts: (value) => value === null || isInteger(value),
  },
  float: { wanted: "a float", accepts: (value) => Number.isFinite(value) },
};

const faultsOfMember = (member: Member, value: unknown, place: string): readonly string[] => {
  if (typeof member === "object") return faultsOfShape(member, value, place);
  const { wanted, accepts } = plain[member];
  return accepts(value) ? [] : fault(place, wanted, value);
};

const faultsOfShape = (member: Exclude<Member, string>, value: unknown, place: string): readonly string[] => {
  if ("optional" in member) {
    return value === undefined ? [] : faultsOfMember(member.optional, value, place);
  }
  if ("oneOf" in member) {
    const isListed = typeof value === "string" && member.oneOf.includes(value);
    return isListed ? [] : fault(place, `one of ${member.oneOf.join(", ")}`, value);
  }
  return "json" in member
    ? readStrictly(member.json, parsed(value), place)
    : readStrictly(member.object, value, place);
};

/**
 * Reads an answer as a strict deserialiser does: every member must be there with its type, and a number is
 * never null. Members that the interface does not know are skipped. Returns the faults; none where it accepts
 * the answer.
 */
export const readStrictly = (members: Members, value: unknown, place = "answer"): readonly string[] =>
  isObject(value)
    ? Object.entries(members).flatMap(([name, member]) =>
        faultsOfMember(member, value[name], `${place}.${name}`),
      )
    : fault(place, "an object", value);
