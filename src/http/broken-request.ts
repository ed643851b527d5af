import type { Socket } from "node:net";

const answers: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/**
 * Answers bytes that are no HTTP, headers that are too long and requests that never end. The connection closes,
 * since nothing after a broken request can be trusted to begin where it seems to (request smuggling).
 */
export const makeAnswerToBrokenRequest =
  (headers: Readonly<Record<string, string>>) =>
  (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const status = answers[error.code ?? ""] ?? "400 Bad Request";
    const [number = "400", ...words] = status.split(" ");
    const body = JSON.stringify({ type: "about:blank", title: words.join(" "), status: Number(number) });
    const standing = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(
      `HTTP/1.1 ${status}\r\nContent-Type: application/problem+json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n${standing.join("")}\r\n${body}`,
    );
  };
