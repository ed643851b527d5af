import type { Route } from "#contract/endpoint";
import type { Json } from "#contract/json";
import { routes } from "#contract/routes";
import type { Persona, PersonaCall } from "./persona.ts";

/** A call of a persona with its method, path and body. */
export type ReadyCall = Omit<PersonaCall, "fields" | "images" | "route"> & {
  readonly operation: string;
  readonly method: Route["method"];
  readonly path: string;
  readonly body: Readonly<Record<string, Json>>;
};

/** The value with the id of the run in its texts. */
const inRun = (value: Json, run: string): Json => {
  if (typeof value === "string") return value.replaceAll("{run}", run);
  if (Array.isArray(value)) return value.map((item) => inRun(item, run));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inRun(member, run)]));
};

/**
 * The calls of a persona for one run. `images` are in Base64, by name. Throws Error for a route that does not
 * exist.
 */
export const readyCalls = (
  { calls }: Pick<Persona, "calls">,
  images: ReadonlyMap<string, string>,
  run: string,
): readonly ReadyCall[] =>
  calls.map(({ fields, images: sent = {}, route: operation, ...call }) => {
    const route = routes.find(({ name }) => name === operation);
    if (route === undefined) throw new Error(`A persona calls an unknown operation: ${operation}`);
    const texts = Object.entries(fields).map(([name, value]) => [name, inRun(value, run)] as const);
    const pictured = Object.entries(sent).map(([field, name]) => [field, images.get(name) ?? ""] as const);
    return {
      ...call,
      operation,
      method: route.method,
      path: route.path,
      body: Object.fromEntries([...texts, ...pictured]),
    };
  });
