import { Type } from "typebox";
import {
  changeDestinationRoute,
  createDestinationRoute,
  enableDestinationRoute,
  handshakeRoute,
  listDestinationsRoute,
  pauseDestinationRoute,
  removeDestinationRoute,
  resumeDestinationRoute,
  rotateSecretRoute,
  showDestinationRoute,
} from "#contract/destination.routes";
import { type Call, type Endpoint, implement } from "#contract/endpoint";
import { answeredAt } from "#contract/envelope";
import { makeCheck } from "#contract/make-check";
import type { RequestFault, UncheckedFields } from "#contract/request";
import type { Destinations } from "../destinations/destinations.ts";
import type { Handshake } from "../destinations/handshake.ts";
import { formerHoursDefault } from "../destinations/secret.ts";
import type { ShownDestination } from "../destinations/shown-destination.ts";
import { wireDestination, wishedOf } from "./wire-destination.ts";

export type DestinationEndpointDeps = {
  readonly destinations: Destinations;
  readonly handshake: Handshake;
};

/** The operator's endpoints of destinations. The environment is that of the key. */
export const destinationEndpoints = ({
  destinations,
  handshake,
}: DestinationEndpointDeps): readonly Endpoint[] => [
  implement({ ...createDestinationRoute, rules: rulesOf(destinations) }, async (call) => {
    const { destination, secret } = await destinations.create(call.caller, wishedOf(call.request));
    return { ...answerOf(call, destination), destinationId: destination.id, secret };
  }),
  implement(listDestinationsRoute, async (call) => ({
    timestamp: stamp(call),
    destinations: (await destinations.list(call.caller)).map(wireDestination),
  })),
  implement(showDestinationRoute, async (call) =>
    answerOf(call, await destinations.find(call.caller, call.request.destinationId)),
  ),
  implement({ ...changeDestinationRoute, rules: rulesOf(destinations) }, async (call) => {
    const { destinationId, ...wished } = call.request;
    return answerOf(call, await destinations.change(call.caller, destinationId, wishedOf(wished)));
  }),
  implement(removeDestinationRoute, async (call) => {
    const { destinationId } = call.request;
    await destinations.remove(call.caller, destinationId);
    return { timestamp: stamp(call), destinationId };
  }),
  implement(rotateSecretRoute, async (call) => {
    const { destinationId, formerHours = formerHoursDefault } = call.request;
    const { destination, secret } = await destinations.rotateSecret(call.caller, destinationId, formerHours);
    return { ...answerOf(call, destination), secret };
  }),
  implement(handshakeRoute, async (call) => {
    const { destination, consent } = await handshake(call.caller, call.request.destinationId, call.signal);
    return {
      ...answerOf(call, destination),
      consents: consent.consents,
      status: consent.status ?? null,
      reason: consent.reason ?? null,
    };
  }),
  ...stateEndpoints(destinations),
];

const settings = makeCheck(Type.Partial(createDestinationRoute.request));

/** Judges every field that its schema accepts, so that one answer names the faults of both. */
const rulesOf =
  ({ judge }: Pick<Destinations, "judge">) =>
  (fields: UncheckedFields): readonly RequestFault[] => {
    const sound: unknown = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => settings.Check({ [name]: value })),
    );
    return settings.Check(sound) ? judge(wishedOf(sound)) : [];
  };

const stateEndpoints = (destinations: Destinations): readonly Endpoint[] => [
  implement(pauseDestinationRoute, async (call) =>
    answerOf(call, await destinations.pause(call.caller, call.request.destinationId)),
  ),
  implement(resumeDestinationRoute, async (call) =>
    answerOf(call, await destinations.resume(call.caller, call.request.destinationId)),
  ),
  implement(enableDestinationRoute, async (call) => {
    const { destinationId, deliverHeld = false } = call.request;
    return answerOf(call, await destinations.enable(call.caller, destinationId, { delivers: deliverHeld }));
  }),
];

const stamp = (call: Call<unknown>): string => answeredAt(call).toISOString();

const answerOf = (call: Call<unknown>, destination: ShownDestination) => ({
  timestamp: stamp(call),
  destination: wireDestination(destination),
});
