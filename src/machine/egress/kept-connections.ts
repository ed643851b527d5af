import type { Agent } from "node:http";
import type { Agent as HttpsAgent } from "node:https";
import type { Duplex } from "node:stream";
import { PlainAgent, SecureAgent } from "./node-http.ts";

/** Connections that wait for the next call to the same host and port. */
export type KeptConnections = { readonly plain: Agent; readonly secure: HttpsAgent };

/** Longest wait of a connection for its next call. Many servers close an unused one after 5 to 60 seconds. */
const unusedMsMax = 15_000;
/**
 * Age from which a connection is not kept, so that a name that moved is looked up again: five minutes, our
 * choice.
 */
const ageMsMax = 300_000;
/** Waiting connections to one host and port: as many as one destination can have in flight. */
const waitingMax = 64;

const options = {
  keepAlive: true,
  timeout: unusedMsMax,
  maxFreeSockets: waitingMax,
  scheduling: "lifo",
} as const;

/** The agent, which closes a connection that is too old to be kept. */
const untilTooOld = <Kind extends Agent>(agent: Kind): Kind => {
  const firstKept = new WeakMap<Duplex, number>();
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    const now = performance.now();
    const since = firstKept.get(socket) ?? now;
    firstKept.set(socket, since);
    return now - since < ageMsMax && keep(socket);
  };
  return agent;
};

/** Connections that outlive a call. A waiting connection does not keep the process alive. */
export const makeKeptConnections = (): KeptConnections => ({
  plain: untilTooOld(new PlainAgent(options)),
  secure: untilTooOld(new SecureAgent(options)),
});
