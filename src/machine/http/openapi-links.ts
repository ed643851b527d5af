import type { Route } from "#contract/endpoint";
import { exampleCalls, exampleCallsOf } from "#contract/examples/calls";
import { type ExampleCall, placeTaken, type TakenValue } from "#contract/examples/example-call";
import type { Json } from "#contract/json";

/** OpenAPI links: which values of this route's answer other operations take. */
export const linksFrom = (route: Route): Json | undefined => {
  const names = exampleCallsOf(route).map(({ name }) => name);
  const links = exampleCalls.flatMap((call) => {
    const taken = (call.taken ?? []).filter(({ from }) => names.includes(from));
    return taken.length === 0 ? [] : [[call.route.name, linkTo(call, taken)] as const];
  });
  return links.length === 0 ? undefined : Object.fromEntries(links);
};

const linkTo = ({ route, fields }: ExampleCall, taken: readonly TakenValue[]): Json => {
  const { name, path, method } = route;
  const isInPath = ({ field }: TakenValue): boolean => path.includes(`{${field}}`);
  const isParameter = (one: TakenValue): boolean => method === "GET" || isInPath(one);
  const parameters = expressionsOf(taken.filter(isParameter));
  const requestBody = expressionsOf(taken.filter((one) => !isParameter(one)));
  const others = Object.keys(fields).filter((one) => !(one in parameters || one in requestBody));
  const isDescribed = others.length > 0 && !taken.every(isInPath);
  return {
    operationId: name,
    ...(isDescribed && { description: `Beside the caller's own ${others.join(", ")}.` }),
    ...(Object.keys(parameters).length > 0 && { parameters }),
    ...(Object.keys(requestBody).length > 0 && { requestBody }),
  };
};

/** The taken values as runtime expressions of OpenAPI, by their fields. */
const expressionsOf = (taken: readonly TakenValue[]): { readonly [field: string]: Json } =>
  JSON.parse(
    JSON.stringify(placeTaken({}, taken, ({ member }) => `$response.body#/${member.replaceAll(".", "/")}`)),
  );
