import type { Route } from "#contract/endpoint";
import { acceptingAbsent } from "./absent-in-schema.ts";
import { isSchema, type Schema } from "./plain-schema.ts";

type Properties = Readonly<Record<string, Schema>>;

const propertiesOf = (schema: unknown): Properties => {
  const properties = isSchema(schema) ? schema["properties"] : undefined;
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, Schema] => isSchema(entry[1])),
  );
};

type Place = "path" | "query" | "body";

/** The place of a request field, as defined by `Route.path`. */
export const placeOf = ({ path, method }: Route, name: string): Place => {
  if (path.includes(`{${name}}`)) return "path";
  return method === "GET" ? "query" : "body";
};

const bodyFieldsOf = (route: Route): readonly (readonly [string, Schema])[] =>
  Object.entries(propertiesOf(route.request)).filter(([name]) => placeOf(route, name) === "body");

const requiredOf = ({ request }: Route): readonly string[] => {
  const required = isSchema(request) ? request["required"] : undefined;
  return Array.isArray(required) ? required.map(String) : [];
};

/** Whether the request has a body. */
export const hasBody = (route: Route): boolean => bodyFieldsOf(route).length > 0;

/** Fields of the body: the other fields of the request schema are parameters. */
export const bodySchema = (route: Route): Schema => {
  const fields = bodyFieldsOf(route);
  const needed = requiredOf(route).filter((name) => placeOf(route, name) === "body");
  const { properties } = acceptingAbsent({ properties: Object.fromEntries(fields), required: needed });
  return { type: "object", ...(needed.length > 0 && { required: needed }), properties };
};

/** The fields of the request that its body does not hold. */
export const parameterFieldsOf = (route: Route) => {
  const required = requiredOf(route);
  return Object.entries(propertiesOf(route.request)).flatMap(([name, schema]) => {
    const place = placeOf(route, name);
    return place === "body" ? [] : [{ name, place, isRequired: required.includes(name), schema }];
  });
};
