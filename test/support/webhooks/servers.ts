import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { listenLocally } from "../egress/local-server.ts";

/** A request as a server received it, with its whole body. */
export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
};

export type LocalServer = {
  readonly url: string;
  readonly received: Received[];
  readonly connections: () => number;
  readonly close: () => void;
};

type Answer = (...args: Parameters<RequestListener>) => void;

/** A server on this host that records every request, then answers. */
export const startServer = async (
  answer: (received: Received, ...args: Parameters<Answer>) => void,
  server?: {
    readonly make: (listener: RequestListener) => Server;
    readonly origin: (port: number) => string;
  },
): Promise<LocalServer> => {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const one = {
        method: request.method ?? "",
        url: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(one);
      answer(one, request, response);
    });
  };
  const made = server?.make(listener) ?? createServer(listener);
  let connections = 0;
  made.on("connection", () => {
    connections += 1;
  });
  const port = await listenLocally(made);
  return {
    url: server?.origin(port) ?? `http://127.0.0.1:${port}`,
    received,
    connections: () => connections,
    close: () => {
      made.closeAllConnections();
      made.close();
    },
  };
};

/** A token server that counts its tokens: `token-1`, `token-2` and so on. */
export const startTokenServer = async (
  fields: () => Readonly<Record<string, unknown>> = () => ({ expires_in: 100 }),
): Promise<LocalServer> => {
  let issued = 0;
  return await startServer((_, _request, response) => {
    issued += 1;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ access_token: `token-${issued}`, token_type: "Bearer", ...fields() }));
  });
};
