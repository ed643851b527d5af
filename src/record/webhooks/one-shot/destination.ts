import type { Destination } from "../destinations/destination.ts";
import type { OneShot } from "./one-shot.ts";

/** Standard Webhooks advises 15 to 30 s. An attempt of a one-shot waits in a slot that others need. */
const timeoutMs = 15_000;

/**
 * The receiver of one message, for the sender: it takes no event and has neither credentials nor a state of
 * its own.
 */
export const oneShotDestination = (
  { tenantId, environment, id }: Pick<OneShot, "tenantId" | "environment" | "id">,
  { url, secret }: { readonly url: string; readonly secret: Uint8Array },
): Destination => ({
  tenantId,
  environment,
  id,
  name: "one-shot",
  state: "active",
  topics: [],
  isOrdered: false,
  revision: 0,
  url,
  headers: {},
  auth: { kind: "none" },
  handshake: false,
  timeoutMs,
  secrets: [`whsec_${Buffer.from(secret).toString("base64")}`],
});
