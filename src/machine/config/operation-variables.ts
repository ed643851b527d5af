import { Type } from "typebox";
import { number } from "./variable-kinds.ts";

/** Variables of operations and their events. */
export const operationVariables = {
  IDEM_OPERATION_MINUTES: number(
    1,
    43_200,
    1_440,
    "Minutes without a further call after which an operation expires. Its last event is then operation_finished with EXPIRED.",
  ),
  IDEM_OPERATION_DAYS: number(
    6,
    3_650,
    90,
    "Days after its end for which an operation is kept, with its steps, events and their deliveries. Six days are longer than the attempts of a delivery. Its images go after IDEM_PICTURE_DAYS.",
  ),
  IDEM_EVENT_VENDOR: Type.String({
    minLength: 1,
    maxLength: 100,
    default: "idem",
    pattern: "^[a-z0-9]+([.-][a-z0-9]+)*$",
    shape: "lower-case letters and digits, with single dots or hyphens between them",
    description: "Vendor part of the type of events: `com.<vendor>.api.workflows.id_captured.v1`.",
  }),
  IDEM_ASSET_LINK_MINUTES: number(1, 1_440, 15, "Minutes for which a link of an event to an image works."),
};
