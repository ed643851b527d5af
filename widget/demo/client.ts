import { readJsonText, textAt } from "./answer.ts";

/** One call of the page, as it was sent and answered. */
export type MadeCall = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly status: number;
  readonly answer: unknown;
  /** As the page measured it. */
  readonly ms: number;
};

/**
 * A call that was not answered with 200. `failure` is a code of api/errors.md, or `offline` or
 * `unauthorized`.
 */
export class CallError extends Error {
  readonly status: number;
  readonly failure: string;
  constructor(status: number, failure: string, detail: string) {
    super(detail);
    this.status = status;
    this.failure = failure;
  }
}

export type Client = {
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: object) => Promise<unknown>;
  /** The image behind a link of an operation, by its path on this service. */
  readonly image: (path: string) => Promise<Blob>;
  /** The stream of the mailbox, until the signal aborts. */
  readonly stream: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined>;
};

/** Longer than any call of the service may take. */
const callWaitMs = 60_000;

const errorOf = (status: number, answer: unknown): CallError =>
  new CallError(
    status,
    textAt(answer, "failure") ?? (status === 401 ? "unauthorized" : "unexpected"),
    textAt(answer, "detail") ?? textAt(answer, "message") ?? textAt(answer, "title") ?? `Status ${status}`,
  );

/**
 * Calls of the page with the key of the person. The key travels in a header alone: in no address and no
 * storage.
 */
export const makeClient = (service: string, key: string, note: (call: MadeCall) => void): Client => {
  const send = async (path: string, request: RequestInit): Promise<Response> => {
    const options: RequestInit = { credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" };
    try {
      return await fetch(`${service}${path}`, { ...options, ...request });
    } catch (error) {
      throw new CallError(0, "offline", error instanceof Error ? error.message : "");
    }
  };
  const call = async (method: MadeCall["method"], path: string, body?: object): Promise<unknown> => {
    const began = performance.now();
    const response = await send(path, {
      method,
      headers: { "x-api-key": key, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(callWaitMs),
    });
    const answer = readJsonText(await response.text());
    const { status } = response;
    note({ method, path, ...(body && { body }), status, answer, ms: performance.now() - began });
    if (!response.ok) throw errorOf(status, answer);
    return answer;
  };
  return {
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, body),
    image: async (path) => {
      const response = await send(path, { signal: AbortSignal.timeout(callWaitMs) });
      if (!response.ok) throw errorOf(response.status, readJsonText(await response.text()));
      return await response.blob();
    },
    stream: async (signal) => {
      const response = await send("/operator/mailbox/stream?after=0", {
        headers: { "x-api-key": key },
        signal,
      });
      return response.ok && response.body !== null ? response.body : undefined;
    },
  };
};
