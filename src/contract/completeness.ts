import type { Endpoint } from "./endpoint.ts";
import { routes } from "./routes.ts";

/** Routes without an endpoint, and routes with several: the lists are empty in a complete service. */
export const judgeCompleteness = (endpoints: readonly Pick<Endpoint, "route">[]) => {
  const served = endpoints.map((endpoint) => endpoint.route.name);
  const known = routes.map((route) => route.name);
  return {
    missing: known.filter((name) => !served.includes(name)),
    doubled: served.filter((name, at) => served.indexOf(name) !== at),
    unknown: served.filter((name) => !known.includes(name)),
  };
};
