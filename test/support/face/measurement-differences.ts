import { fingerprintDistance } from "#judging/face/engine/fingerprint";
import { unpackTemplate } from "#judging/face/matching/template";
import type { FaceMeasurement } from "#judging/face/measurement";

/** A figure may differ by this share between processors: their last digits add up over a network. */
const shareMax = 0.001;
/**
 * So many of 256 bits of a fingerprint may differ: a bit compares two cells that may be as bright as each
 * other.
 */
const bitsMax = 2;

/** Values by their place in a measurement; a template by its vectors. */
const valuesOf = (place: string, value: unknown): readonly (readonly [string, unknown])[] => {
  if (value instanceof Uint8Array) return valuesOf(place, unpackTemplate(value));
  if (typeof value !== "object" || value === null) return [[place, value]];
  return Object.entries(value).flatMap(([name, one]) => valuesOf(`${place}.${name}`, one));
};

const isSame = (place: string, one: unknown, other: unknown): boolean => {
  if (typeof one === "number" && typeof other === "number")
    return Math.abs(one - other) <= shareMax * Math.max(1, Math.abs(one));
  if (place.endsWith(".fingerprint")) return fingerprintDistance(String(one), String(other)) <= bitsMax;
  return one === other;
};

/** The places at which two measurements differ by more than the last digits of another processor. */
export const differences = (one: FaceMeasurement, other: FaceMeasurement): readonly string[] => {
  const [left, right] = [one, other].map((measured) => new Map(valuesOf("measured", measured)));
  const places = new Set([...left!.keys(), ...right!.keys()]);
  return [...places].filter((place) => !isSame(place, left!.get(place), right!.get(place)));
};
