import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { Failure, type FailureCode } from "#contract/failure";
import { STATUS_CODES } from "#machine/egress/node-http";
import type { BaseUrl } from "./base-url.ts";
import { headersOfEveryAnswer } from "./headers.ts";
import { endGently } from "./lingering-close.ts";
import { refuse } from "./problem.ts";

/** Failures by the error codes of Node's parser; any other error is a request that is no HTTP. */
const failures: Readonly<Record<string, FailureCode>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_too_slow",
};

/**
 * Why a request may not be answered for its Host (RFC 9112, 3.2): HTTP/1.1 requires exactly one. Undefined
 * where nothing is wrong.
 */
export const hostFault = ({
  rawHeaders,
  httpVersion,
}: Pick<IncomingMessage, "rawHeaders" | "httpVersion">): string | undefined => {
  const names = rawHeaders.filter((_, at) => at % 2 === 0);
  const count = names.filter((name) => name.toLowerCase() === "host").length;
  if (count > 1) return "it has several headers Host";
  return count === 0 && httpVersion === "1.1" ? "it has no header Host" : undefined;
};

/**
 * Answers bytes that are not HTTP, oversized headers and requests that never end. Closes the connection:
 * after a broken request the start of the next one cannot be trusted (request smuggling). Where an earlier
 * request of the connection waits for its answer, there is none for the bytes after it: it would be taken for
 * the earlier one's.
 */
export const makeAnswerToBrokenRequest =
  (
    options: { readonly isBehindTls?: boolean; readonly baseUrl: BaseUrl },
    makeId: () => string,
    isServing: (socket: Socket) => boolean,
  ): ((error: Error & { readonly code?: string }, socket: Socket) => void) =>
  (error, socket) => {
    if (!socket.writable || error.code === "ECONNRESET" || isServing(socket)) {
      socket.destroy();
      return;
    }
    const requestId = makeId();
    const failure = new Failure(failures[error.code ?? ""] ?? "http_unreadable");
    const answer = refuse(failure, { requestId, baseUrl: options.baseUrl });
    const headers = {
      ...headersOfEveryAnswer(options),
      ...answer.headers,
      "Content-Type": answer.contentType,
      "Content-Length": String(Buffer.byteLength(answer.body)),
      "X-Request-Id": requestId,
      Connection: "close",
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const statusLine = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ""}\r\n`;
    endGently(socket, `${statusLine}${lines.join("")}\r\n${answer.body}`);
  };
