import { isObject, parseJson } from "./json.ts";
import type { RecordedRequest } from "./request.ts";

/** Values of one service's answers by their captured names. */
export type Captured = ReadonlyMap<string, string>;

/** A use of a captured value in a text. */
const pattern = /\{\{([A-Za-z]\w{0,39})\}\}/g;

/** A placeholder without a value: the request that should have captured it failed. */
export class NoValue extends Error {
  override readonly name = "NoValue";
}

/** A value with each text in it replaced. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapTexts(part, change)]));
};

/** The names that a request uses. */
export const usedNames = ({ path, body, theirs, ours }: RecordedRequest): ReadonlySet<string> => {
  const names = new Set<string>();
  mapTexts([path, body, theirs, ours], (text) => {
    for (const [, name] of text.matchAll(pattern)) names.add(name!);
    return text;
  });
  return names;
};

/** What is sent to one service. */
export type FilledRequest = Pick<RecordedRequest, "method" | "path" | "headers"> & {
  readonly body?: unknown;
};

/** The request for one service, with its own values in place of the names. Throws NoValue. */
export const fillRequest = (
  request: RecordedRequest,
  service: "theirs" | "ours",
  captured: Captured,
): FilledRequest => {
  const valueOf = (name: string): string => {
    const value = captured.get(name);
    if (value === undefined) throw new NoValue(`no earlier answer gave {{${name}}}`);
    return value;
  };
  const fill = (text: string): string => text.replaceAll(pattern, (_, name: string) => valueOf(name));
  const fillPath = (text: string): string =>
    text.replaceAll(pattern, (_, name: string) => encodeURIComponent(valueOf(name)));
  const { method, path, headers, body } = request;
  const own = isObject(body) ? { ...body, ...request[service] } : body;
  return {
    method,
    headers,
    path: fillPath(path),
    ...(own !== undefined && { body: mapTexts(own, fill) }),
  };
};

/** The value at a path such as `verification.code`, also within a text that holds JSON. */
export const valueAt = (body: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => {
    const opened = typeof value === "string" ? parseJson(value) : value;
    return isObject(opened) && Object.hasOwn(opened, name) ? opened[name] : undefined;
  }, body);

/** The named values of an answer. A field that is no text and no number gives none. */
export const captureFrom = (
  body: unknown,
  { capture }: Pick<RecordedRequest, "capture">,
): readonly (readonly [string, string])[] =>
  Object.entries(capture).flatMap(([name, path]) => {
    const value = valueAt(body, path);
    return typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [];
  });

/** Whether an answer ends the repetition of its request. */
export const isSettled = (body: unknown, { until }: Pick<RecordedRequest, "until">): boolean =>
  Object.entries(until).every(([path, values]) => values.includes(valueAt(body, path)));
