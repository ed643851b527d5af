import type { SimulatorSpec } from "./simulator/simulator.ts";

/** What a receiver took, newest last. */
export type ReceivedMessage = {
  readonly path: string;
  readonly id: string | undefined;
  readonly body: string;
};

/** As many messages as a trial sends, and no more memory than that. */
const messagesMax = 1000;

/**
 * A receiver of events: takes every POST, and shows what it took at `GET /_messages`. It verifies nothing: a
 * receiver of the integrator does, with the secret of its destination.
 */
export const makeReceiverSpec = (): SimulatorSpec => {
  const messages: ReceivedMessage[] = [];
  return {
    name: "receiver",
    answer: ({ method, path, header, body }) => {
      if (method === "GET" && path === "/_messages") return { status: 200, body: { messages } };
      if (method !== "POST") return { status: 405, body: { error: "method" } };
      messages.push({ path, id: header("webhook-id"), body: Buffer.from(body).toString("utf8") });
      if (messages.length > messagesMax) messages.shift();
      return { status: 204, headers: {} };
    },
  };
};
