import type { Endpoint, Route } from "./endpoint.ts";
import { Failure } from "./failure.ts";
import { routes } from "./routes.ts";

/** Names of the routes that this release does not build: they answer 501. The list shrinks to nothing. */
export const laterRouteNames: readonly string[] = ["startPrevired"];

/** Whether a later release builds this route. */
export const isLater = (route: Route): boolean => laterRouteNames.includes(route.name);

/** The endpoints of later routes: each answers 501 to a caller with the right key and any body. */
export const makeLaterEndpoints = (): readonly Endpoint[] =>
  routes.filter(isLater).map((route) => ({
    route: { ...route, failures: [...route.failures, "not_built"] },
    handle: () => Promise.reject(new Failure("not_built")),
  }));

/** Routes without an endpoint, and routes with several: both lists are empty in a complete service. */
export const judgeCompleteness = (endpoints: readonly Endpoint[]) => {
  const served = endpoints.map((endpoint) => endpoint.route.name);
  const known = routes.map((route) => route.name);
  return {
    missing: known.filter((name) => !served.includes(name)),
    doubled: served.filter((name, at) => served.indexOf(name) !== at),
    unknown: served.filter((name) => !known.includes(name)),
  };
};
