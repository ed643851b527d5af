import { Agent, request } from "node:http";

/** An answer, or status 0 with the error's code where the connection ended without one. */
export type Received = {
  readonly status: number;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly ms: number;
};

export type Sent = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer;
};

export type Exchange = (sent: Sent) => Promise<Received>;

/** Longer than the service's own limit of a call, so that its 504 is seen. */
const answerMsMax = 60_000;

const codeOf = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : error.name;

/**
 * Sends requests to one service. Unlike fetch it sends any method, header and body, and reads the answer of a
 * server that stopped reading the body.
 */
export const makeExchange = (url: string): { readonly exchange: Exchange; readonly close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const { hostname, port } = new URL(url);
  const exchange: Exchange = ({ method, path, headers = {}, body }) =>
    new Promise((resolve) => {
      const started = performance.now();
      const finish = (rest: Partial<Received>): void =>
        resolve({ status: 0, type: "", headers: {}, text: "", ms: performance.now() - started, ...rest });
      const length = body === undefined ? {} : { "content-length": body.length };
      const call = request({ agent, hostname, port, method, path, headers: { ...length, ...headers } });
      call.setTimeout(answerMsMax, () => call.destroy(new Error("no answer")));
      call.once("error", (error) => finish({ text: codeOf(error) }));
      call.once("response", (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("error", (error) => finish({ text: codeOf(error) }));
        answer.once("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          const stated = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
          const type = (answer.headers["content-type"] ?? "").split(";", 1)[0] ?? "";
          finish({ status: answer.statusCode ?? 0, type, headers: Object.fromEntries(stated), text });
        });
      });
      call.end(body);
    });
  return { exchange, close: () => agent.destroy() };
};

/** The parsed body; undefined where it is not JSON. */
export const jsonOf = ({ text }: Received): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
