import type { Socket } from "node:net";
import type { Exchange } from "./egress.ts";

type Steps = { -readonly [Step in keyof Exchange]: Exchange[Step] };

/** The clock of one exchange. */
export type Measuring = {
  /** Follows the connecting of a socket; a kept connection has no such steps. */
  readonly watch: (socket: Socket) => void;
  /** The head of the answer is here. */
  readonly answered: () => void;
  readonly steps: () => Exchange;
};

/** Starts the clock of an exchange. */
export const startMeasuring = (): Measuring => {
  const startedMs = performance.now();
  const steps: Steps = {};
  const sinceStart = (): number => performance.now() - startedMs;
  const connected = (socket: Socket): void => {
    if (socket.remoteAddress !== undefined) steps.address = socket.remoteAddress;
  };
  return {
    watch: (socket) => {
      if (!socket.connecting) return connected(socket);
      socket.once("lookup", () => {
        steps.dnsMs = sinceStart();
      });
      socket.once("connect", () => {
        steps.connectMs = sinceStart();
        connected(socket);
      });
      socket.once("secureConnect", () => {
        steps.tlsMs = sinceStart();
      });
    },
    answered: () => {
      steps.firstByteMs = sinceStart();
    },
    steps: () => ({ ...steps }),
  };
};
