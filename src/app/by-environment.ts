/**
 * Chooses between test and live where the parts of a module are connected. A use case never asks for the
 * environment: it gets the engine, registry or sender of its environment.
 */
import type { Caller, Endpoint } from "#contract/endpoint";

type Environment = Pick<Caller, "environment">;

/** The value of an environment. Made by {@link byEnvironment}. */
export type ByEnvironment<Value> = (of: Environment) => Value;

/** Chooses the value of an environment. What is no live key gets the test value. */
export const byEnvironment =
  <Value>(test: Value, live: Value): ByEnvironment<Value> =>
  ({ environment }) =>
    environment === "live" ? live : test;

/**
 * Joins the endpoints of both environments, so that each call goes to the endpoint of its key. Both lists
 * have the same routes in the same order; else this throws Error.
 */
export const endpointsByEnvironment = (
  test: readonly Endpoint[],
  live: readonly Endpoint[],
): readonly Endpoint[] => {
  if (test.length !== live.length) throw new Error("The environments have different numbers of endpoints");
  return test.map((endpoint, at) => joined(endpoint, live[at]));
};

const joined = (test: Endpoint, live: Endpoint | undefined): Endpoint => {
  if (live?.route.name !== test.route.name) {
    throw new Error(`The environments have different endpoints for ${test.route.name}`);
  }
  const choose = byEnvironment(test, live);
  return { route: test.route, handle: async (call) => await choose(call.caller).handle(call) };
};
