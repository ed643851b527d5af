import { number } from "./variable-kinds.ts";

/** Variables of deliveries to webhooks. */
export const deliveryVariables = {
  IDEM_DELIVERY_SLOTS: number(
    1,
    1_024,
    128,
    "Deliveries to webhooks that one process has in flight. After its death at most this number is sent twice.",
  ),
  IDEM_DELIVERY_PER_DESTINATION: number(
    1,
    64,
    8,
    "Deliveries that all processes together have in flight for one destination, so that a slow one does not take the slots of others. A destination can have a number of its own.",
  ),
};
