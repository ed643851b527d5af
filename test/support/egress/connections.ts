import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

const channel = "net.client.socket";

const socketOf = (message: unknown): Socket | undefined =>
  typeof message === "object" && message !== null && "socket" in message && message.socket instanceof Socket
    ? message.socket
    : undefined;

/**
 * The addresses to which this process tries to connect while `work` runs, TLS included: of every socket,
 * before any answer of the network.
 */
export const attemptsDuring = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
  const attempts: string[] = [];
  const watch = (message: unknown): void => {
    socketOf(message)?.on("connectionAttempt", (address: string, port: number) => {
      attempts.push(`${address}:${port}`);
    });
  };
  subscribe(channel, watch);
  try {
    await work();
  } finally {
    unsubscribe(channel, watch);
  }
  return attempts;
};
