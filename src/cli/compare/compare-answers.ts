import { absent, describeValue, isSameButForMarks, shapeOf, showName } from "./describe-value.ts";
import { type FieldRule, ruleOf } from "./field-rules.ts";
import { isObject, parseJson } from "./json.ts";

/** The answer of a service: its status, and its body as parsed JSON, or undefined where it is no JSON. */
export type Answer = { readonly status: number; readonly body: unknown };

/** One field that differs, in words that hold no personal value. */
export type Difference = {
  readonly field: string;
  readonly theirs: string;
  readonly ours: string;
  /** Between two numbers that are compared with a tolerance. */
  readonly gap?: number;
};

export type Comparison = {
  readonly differences: readonly Difference[];
  /**
   * Fields that our answer has in addition. A client of the interface ignores them, so they are no
   * differences.
   */
  readonly added: readonly string[];
  /**
   * Both services refused the request with the same status. A recording that neither can carry out shows
   * nothing.
   */
  readonly isRefusal: boolean;
};

export type ComparisonRules = {
  readonly similarityTolerance: number;
  /** Fields that are left out, by their own name or their whole path. */
  readonly ignored: ReadonlySet<string>;
};

/** Deeper values are compared by their shape, and more fields of one answer are not looked at. */
const [depthMax, fieldsMax] = [24, 5000];

/** Field of the status in a comparison. */
export const statusField = "HTTP status";

/** Compares two answers to one request, field by field. JSON in two texts is compared as JSON. */
export const compareAnswers = (theirs: Answer, ours: Answer, rules: ComparisonRules): Comparison => {
  if (theirs.status !== ours.status) return ofStatus(theirs, ours, rules);
  const walk: Walk = {
    ...rules,
    isError: ours.status >= 400,
    differences: [],
    added: [],
    fields: 0,
  };
  if ((theirs.body === undefined) === (ours.body === undefined)) {
    compareValues(walk, { path: "", name: bodyField, depth: 0 }, theirs.body, ours.body);
  } else {
    walk.differences.push({ field: bodyField, theirs: bodyKind(theirs), ours: bodyKind(ours) });
  }
  return { differences: walk.differences, added: walk.added, isRefusal: walk.isError };
};

const bodyField = "body";

const bodyKind = ({ body }: Answer): string => (body === undefined ? "no JSON" : "JSON");

const failureShape = /^[a-z_]{1,60}$/;

/**
 * Bodies of two statuses have different fields by contract, so the status stands alone, with our failure
 * code.
 */
const ofStatus = (theirs: Answer, { status, body }: Answer, { ignored }: ComparisonRules): Comparison => {
  const failure = isObject(body) ? body["failure"] : undefined;
  const code = typeof failure === "string" && failureShape.test(failure) ? ` ${failure}` : "";
  const difference = { field: statusField, theirs: String(theirs.status), ours: `${status}${code}` };
  return { differences: ignored.has(statusField) ? [] : [difference], added: [], isRefusal: false };
};

type Walk = ComparisonRules & {
  readonly isError: boolean;
  readonly differences: Difference[];
  readonly added: string[];
  fields: number;
};

type Place = { readonly path: string; readonly name: string; readonly depth: number };

const fieldOf = ({ path, name }: Place): string => (path === "" ? name : path);

const inside = ({ path, depth }: Place, name: string): Place => ({
  path: path === "" ? showName(name) : `${path}.${showName(name)}`,
  name,
  depth: depth + 1,
});

/** Items have the name of their list, so that a rule of the list applies to them. */
const item = ({ path, name, depth }: Place): Place => ({ path: `${path}[]`, name, depth: depth + 1 });

/**
 * Whether one value is a text with JSON and the other no text: a client of the first could not read the
 * second.
 */
const isTextAgainstValue = (theirs: unknown, ours: unknown): boolean =>
  (typeof theirs === "string") !== (typeof ours === "string") &&
  (opened(theirs) !== theirs || opened(ours) !== ours);

const jsonOrShape = (value: unknown): string => (typeof value === "string" ? "JSON text" : shapeOf(value));

/** The object or list in a text that holds JSON; else the value. */
const opened = (value: unknown): unknown => {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  return parseJson(value) ?? value;
};

const compareValues = (walk: Walk, place: Place, theirsRaw: unknown, oursRaw: unknown): void => {
  walk.fields++;
  if (walk.fields === fieldsMax) {
    walk.differences.push({ field: "(further fields)", theirs: "not compared", ours: "not compared" });
  }
  if (walk.fields >= fieldsMax || walk.ignored.has(place.name) || walk.ignored.has(place.path)) return;
  if (theirsRaw === absent) {
    walk.added.push(place.path);
    return;
  }
  if (isTextAgainstValue(theirsRaw, oursRaw)) {
    const [theirs, ours] = [jsonOrShape(theirsRaw), jsonOrShape(oursRaw)];
    walk.differences.push({ field: fieldOf(place), theirs, ours });
    return;
  }
  const [theirs, ours] = [opened(theirsRaw), opened(oursRaw)];
  if (place.depth < depthMax && isObject(theirs) && isObject(ours)) {
    compareMembers(walk, place, theirs, ours);
  } else if (place.depth < depthMax && Array.isArray(theirs) && Array.isArray(ours)) {
    compareItems(walk, place, theirs, ours);
  } else {
    compareLeaf(walk, place, theirs, ours);
  }
};

type Members = Readonly<Record<string, unknown>>;

const compareMembers = (walk: Walk, place: Place, theirs: Members, ours: Members): void => {
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const memberOf = (members: Members): unknown => (Object.hasOwn(members, name) ? members[name] : absent);
    compareValues(walk, inside(place, name), memberOf(theirs), memberOf(ours));
  }
};

const compareItems = (
  walk: Walk,
  place: Place,
  theirs: readonly unknown[],
  ours: readonly unknown[],
): void => {
  if (theirs.length !== ours.length) {
    walk.differences.push({ field: place.path, theirs: shapeOf(theirs), ours: shapeOf(ours) });
    return;
  }
  for (const [i, value] of theirs.entries()) compareValues(walk, item(place), value, ours[i]);
};

const compareLeaf = (walk: Walk, place: Place, theirs: unknown, ours: unknown): void => {
  const rule = ruleOf(place.name, walk.isError, walk.similarityTolerance);
  const gap = gapOf(rule, theirs, ours);
  if (isEqual(rule, theirs, ours, gap)) return;
  const marks = isSameButForMarks(theirs, ours) ? "the same but for case, accents or spaces" : undefined;
  walk.differences.push({
    field: fieldOf(place),
    theirs: describeValue(theirs, rule),
    ours: marks ?? describeValue(ours, rule),
    ...(gap !== undefined && { gap }),
  });
};

const gapOf = (rule: FieldRule, theirs: unknown, ours: unknown): number | undefined =>
  rule.kind === "near" && typeof theirs === "number" && typeof ours === "number"
    ? Math.abs(theirs - ours)
    : undefined;

const isEqual = (rule: FieldRule, theirs: unknown, ours: unknown, gap: number | undefined): boolean => {
  if (rule.kind === "shape") return shapeOf(theirs) === shapeOf(ours);
  if (rule.kind === "near" && gap !== undefined) {
    const scale = rule.isShare ? Math.max(Math.abs(Number(theirs)), Math.abs(Number(ours))) : 1;
    return gap <= rule.tolerance * scale + 1e-9;
  }
  return theirs === ours || (isDeep(theirs) && shapeOf(theirs) === shapeOf(ours));
};

/** An object or list where a single value is expected: it lies too deep to compare by field. */
const isDeep = (value: unknown): boolean => typeof value === "object" && value !== null;
