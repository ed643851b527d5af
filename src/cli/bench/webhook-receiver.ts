/** The receiver of the measurement, a process of its own: answers after a pause and notes what arrives. */
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** An event that arrived, with the path of its destination and the time in milliseconds since 1970. */
export type Arrival = {
  readonly id: string;
  readonly source: string;
  readonly sequence: string;
  readonly path: string;
  readonly at: number;
};

/** `hang` ends the answers to this path; `report` sends everything that arrived so far, and forgets it. */
export type ReceiverOrder =
  | { readonly kind: "hang"; readonly path: string | null }
  | { readonly kind: "report" };

export type ReceiverMessage =
  | { readonly kind: "listening"; readonly port: number }
  | { readonly kind: "arrivals"; readonly arrivals: readonly Arrival[] };

const answerAfterMs = 5;

const send = (message: ReceiverMessage): void => void process.send?.(message);

const readEvent = (body: Buffer): Pick<Arrival, "id" | "source" | "sequence"> => {
  const { id, source, sequence } = JSON.parse(body.toString("utf8"));
  return { id: String(id), source: String(source), sequence: String(sequence) };
};

const serveArrivals = (): void => {
  let arrivals: Arrival[] = [];
  let hanging: string | null = null;
  const server = createServer((request, response) => {
    const at = performance.timeOrigin + performance.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      if (path === hanging) return;
      arrivals.push({ ...readEvent(Buffer.concat(chunks)), path, at });
      void sleep(answerAfterMs).then(() => response.writeHead(204).end());
    });
  });
  server.keepAliveTimeout = 60_000;
  process.on("message", (order: ReceiverOrder) => {
    if (order.kind === "hang") {
      hanging = order.path;
      return;
    }
    send({ kind: "arrivals", arrivals });
    arrivals = [];
  });
  process.on("disconnect", () => process.exit(0));
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) send({ kind: "listening", port: address.port });
  });
};

serveArrivals();
