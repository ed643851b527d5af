import { fork } from "node:child_process";
import { once } from "node:events";
import type { Arrival, ReceiverMessage, ReceiverOrder } from "./webhook-receiver.ts";

/** The receiver as its measurement sees it. */
export type Receiver = {
  readonly url: (path: string) => string;
  readonly hang: (path: string | null) => void;
  /** What arrived since the last report. */
  readonly report: () => Promise<readonly Arrival[]>;
  readonly stop: () => void;
};

/** Starts the receiver in a process of its own. */
export const startReceiver = async (): Promise<Receiver> => {
  const child = fork(new URL("./webhook-receiver.ts", import.meta.url), { serialization: "advanced" });
  const order = (message: ReceiverOrder): void => void child.send(message);
  const next = async (): Promise<ReceiverMessage> => {
    const [message]: readonly ReceiverMessage[] = await once(child, "message");
    return message!;
  };
  const started = await next();
  if (started.kind !== "listening") throw new Error("The receiver does not listen");
  return {
    url: (path) => `http://127.0.0.1:${started.port}${path}`,
    hang: (path) => order({ kind: "hang", path }),
    report: async () => {
      order({ kind: "report" });
      const answer = await next();
      return answer.kind === "arrivals" ? answer.arrivals : [];
    },
    stop: () => void child.kill(),
  };
};
