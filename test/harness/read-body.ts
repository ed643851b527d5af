import type { IncomingMessage } from "node:http";

/** The whole body of a request, as text. */
export const readBody = async (request: IncomingMessage): Promise<string> =>
  Buffer.concat(await Array.fromAsync(request)).toString();
