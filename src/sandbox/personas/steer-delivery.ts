import type { Send } from "#record/webhooks/send/send";
import type { Pause } from "./steer-faces.ts";

/** Starts of the ids of operations whose events are delivered as a fault of a network would. */
export const deliveryPersonas = {
  /** Each event is sent twice. */
  duplicate: "persona-duplicate-",
  /** The first event of the operation is sent after the others. */
  reordered: "persona-reordered-",
  /** Each event is sent late. */
  late: "persona-late-",
} as const;

/** Longer than the others of an operation need, shorter than the deadline of an attempt. */
const heldMs = 2_000;

const sourceOf = (body: string): string => {
  const event: unknown = JSON.parse(body);
  const source: unknown =
    typeof event === "object" && event !== null && "source" in event ? event.source : "";
  return typeof source === "string" ? source : "";
};

/**
 * Sends the events of test keys. The id of an operation that starts with a name above asks for the fault; the
 * bytes, ids and signatures stay as they are. Other events, and all of live keys, are sent as always.
 */
export const steerDelivery =
  (send: Send, pause: Pause): Send =>
  async (destination, message, signal) => {
    if (destination.environment !== "test") return await send(destination, message, signal);
    const source = sourceOf(message.body);
    const is = (fault: keyof typeof deliveryPersonas): boolean =>
      source.startsWith(`/operations/${deliveryPersonas[fault]}`);
    const isFirst = message.body.includes("operation_started");
    if (is("late") || (is("reordered") && isFirst)) await pause(heldMs, signal);
    if (is("duplicate")) await send(destination, message, signal);
    return await send(destination, message, signal);
  };
