/**
 * Entry of the thread of outgoing calls: it owns every connection to an external server. It holds no key and
 * no store.
 */
import { parentPort, workerData } from "node:worker_threads";
import { makeEgress } from "#machine/egress/make-egress";
import { serveEgress } from "#machine/egress/thread/serve-egress";

/** The `workerData` of the thread. The main thread of the same process makes it, so it is not checked. */
export type EgressThreadData = {
  readonly allow: readonly string[];
  /** Address of a proxy, as a text because a URL object cannot be sent to a thread. */
  readonly proxy?: string;
};

const { allow, proxy }: EgressThreadData = workerData;

if (parentPort !== null) {
  serveEgress(parentPort, makeEgress({ allow, ...(proxy !== undefined && { proxy: new URL(proxy) }) }));
}
