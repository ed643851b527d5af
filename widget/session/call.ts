import { failureOf } from "./page-state.ts";

/** A refusal of the service, by the code of its failure, or `page_offline` where none was reached. */
export class PageError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, status: number) {
    super(code);
    this.code = code;
    this.status = status;
  }
}

export const codeOf = (error: unknown): string => (error instanceof PageError ? error.code : "unexpected");

/** Sends a page's call; `body` undefined: a GET. Rejects with PageError. */
export type Call = (path: string, body: unknown) => Promise<unknown>;

/**
 * A call is cut off after this time: no wait of the page is without end. The service ends a call after 30 s
 * unless the operator sets more (IDEM_REQUEST_TIMEOUT_MS), so that a busy one answers before, and is not
 * taken for a lost connection.
 */
const callWaitMs = 40_000;

/**
 * Calls of one session. The token travels in a header alone: in no address, no cookie and no storage. Nothing
 * of the page's address is sent along.
 */
export const makeCall =
  (service: string, token: string, send: typeof fetch, noteDate: (date: string | null) => void): Call =>
  async (path, body) => {
    const answer = await reach(send, `${service}/capture/v1/page${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(callWaitMs),
    });
    noteDate(answer.headers.get("date"));
    const value = await readJson(answer);
    if (!answer.ok)
      throw new PageError(answer.status === 401 ? "unauthorized" : failureOf(value), answer.status);
    return value;
  };

const reach = async (send: typeof fetch, url: string, request: RequestInit): Promise<Response> => {
  try {
    return await send(url, request);
  } catch {
    throw new PageError("page_offline", 0);
  }
};

const readJson = async (answer: Response): Promise<unknown> => {
  try {
    return await answer.json();
  } catch {
    throw new PageError(answer.ok ? "page_offline" : "unexpected", answer.status);
  }
};
