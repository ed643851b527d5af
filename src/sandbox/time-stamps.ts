import type { RespondToRequest } from "#trust/timestamps/respond";
import type { SimulatorSpec } from "./simulator/simulator.ts";

/** A time-stamp authority over HTTP (RFC 3161, 3.4). `respond` is that of the embedded authority. */
export const timeStampSpec = (respond: RespondToRequest): SimulatorSpec => ({
  name: "time-stamps",
  answer: async ({ method, header, body }) =>
    method === "POST" && header("content-type") === "application/timestamp-query"
      ? {
          status: 200,
          headers: { "content-type": "application/timestamp-reply" },
          body: await respond(body),
        }
      : { status: 400, body: { error: "Send a TimeStampReq of RFC 3161" } },
});
