import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type FaultSwitch, type Faults, faultOf, makeFaultSwitch, readFaults } from "./faults.ts";

export type SimulatorRequest = {
  readonly method: string;
  /** Decoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The value of a header; the first if it was sent several times. */
  readonly header: (name: string) => string | undefined;
  readonly body: Uint8Array;
};

/** Bytes are sent as they are, anything else as JSON. */
export type SimulatorAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** An HTTP server on the loopback address that answers as another institution would. */
export type Simulator = {
  readonly name: string;
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly url: string;
  /** Ends at once, with every open connection. */
  readonly close: () => Promise<void>;
};

/** One institution: its name and how it answers. Faults of transport are not its concern. */
export type SimulatorSpec = {
  readonly name: string;
  readonly answer: (request: SimulatorRequest, faults: Faults) => Promise<SimulatorAnswer> | SimulatorAnswer;
};

/** An image of 12 MB in Base64, with its frame. */
const bodyBytesMax = 24 * 1024 * 1024;
const hugeBytes = 50 * 1024 * 1024;

/**
 * Starts a simulator. Beside its own paths every one has `POST /_faults` (sets what goes wrong; an empty
 * object clears it), `GET /_faults` and `GET /_asked` (counts of requests and answers).
 *
 * @example
 * ```ts
 * import { startSimulator } from "#sandbox/simulator/simulator";
 *
 * const bank = await startSimulator({
 *   name: "bank",
 *   answer: ({ path }) => (path === "/accounts" ? { status: 200, body: [] } : { status: 404 }),
 * });
 * console.log(bank.url);
 * await bank.close();
 * ```
 */
export const startSimulator = async (spec: SimulatorSpec, port = 0): Promise<Simulator> => {
  const faults = makeFaultSwitch();
  const counts: Counts = { asked: 0, answered: 0, byStatus: {} };
  const server = createServer((request, response) => {
    serve({ spec, faults, counts }, request, response).catch(() => response.destroy());
  });
  await listen(server, port);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The simulator has no port");
  return {
    name: spec.name,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
};

type Counts = { asked: number; answered: number; readonly byStatus: Record<string, number> };

type Serving = { readonly spec: SimulatorSpec; readonly faults: FaultSwitch; readonly counts: Counts };

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });

const serve = async (serving: Serving, message: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await readBody(message);
  if (body === undefined) {
    send(response, { status: 413, headers: { connection: "close" }, body: { error: "too large" } });
    return;
  }
  const request = requestOf(message, body);
  if (request.path === "/_faults" || request.path === "/_asked") {
    send(response, control(serving, request));
    return;
  }
  serving.counts.asked++;
  const faults = serving.faults.take();
  if (faults.silence === true) return;
  if (faults.delayMs !== undefined) await sleep(faults.delayMs);
  const answer = faultyAnswer(faults) ?? (await serving.spec.answer(request, faults));
  if (faults.silenceAfterwards === true) return;
  const { status } = answer;
  serving.counts.answered++;
  serving.counts.byStatus[status] = (serving.counts.byStatus[status] ?? 0) + 1;
  send(response, faults.malformed === true ? halved(answer) : answer);
};

/** The body; undefined where it is too large. */
const readBody = async (message: IncomingMessage): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of message) {
    if (!(chunk instanceof Uint8Array)) continue;
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

const requestOf = (message: IncomingMessage, body: Uint8Array): SimulatorRequest => {
  const url = URL.parse(message.url ?? "/", "http://127.0.0.1") ?? new URL("http://127.0.0.1/");
  return {
    method: message.method ?? "GET",
    path: decoded(url.pathname),
    query: url.searchParams,
    header: (name) => [message.headers[name.toLowerCase()]].flat()[0],
    body,
  };
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const control = ({ faults, counts }: Serving, { method, path, body }: SimulatorRequest): SimulatorAnswer => {
  if (path === "/_asked") return { status: 200, body: counts };
  if (method !== "POST") return { status: 200, body: faults.state() };
  const parsed = parseJson(body);
  const read = readFaults(parsed);
  if (read === undefined) return { status: 400, body: { error: faultOf(parsed) } };
  faults.set(read);
  return { status: 200, body: read };
};

/** The parsed body; undefined where it is not JSON. */
export const parseJson = (body: Uint8Array): unknown => {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    return parsed;
  } catch {
    return undefined;
  }
};

const faultyAnswer = (faults: Faults): SimulatorAnswer | undefined => {
  if (faults.status !== undefined) return { status: faults.status, body: {} };
  if (faults.redirect === true) return { status: 302, headers: { location: "/_elsewhere" } };
  if (faults.html === true) {
    const page = "<!doctype html><title>Mantenimiento</title><p>Servicio en mantenimiento</p>";
    return { status: 200, headers: { "content-type": "text/html" }, body: Buffer.from(page) };
  }
  if (faults.huge === true) {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.alloc(hugeBytes, 0x20),
    };
  }
  return undefined;
};

const bytesOf = ({ body }: SimulatorAnswer): Uint8Array =>
  body === undefined
    ? Buffer.alloc(0)
    : body instanceof Uint8Array
      ? body
      : Buffer.from(JSON.stringify(body));

const halved = (answer: SimulatorAnswer): SimulatorAnswer => {
  const bytes = bytesOf(answer);
  return {
    ...answer,
    headers: { "content-type": "application/json", ...answer.headers },
    body: bytes.subarray(0, bytes.length / 2),
  };
};

const send = (response: ServerResponse, answer: SimulatorAnswer): void => {
  const type = answer.body instanceof Uint8Array ? "application/octet-stream" : "application/json";
  response.writeHead(answer.status, { "content-type": type, ...answer.headers }).end(bytesOf(answer));
};
