import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { inject } from "vitest";

/** `fetch` ends a call without an answer after five minutes; a start on a busy machine may take longer. */
const post = async (url: string, body: string): Promise<IncomingMessage> => {
  const call = request(url, { method: "POST" });
  call.end(body);
  const [answer]: readonly IncomingMessage[] = await once(call, "response");
  if (answer === undefined) throw new Error(`${url} gave no answer`);
  return answer;
};

/**
 * Asks for a part that all files of this run share (shared-setup.ts). It starts where no test has asked for
 * it yet.
 */
export const askShared = async (path: string, wanted: object = {}): Promise<unknown> => {
  const answer = await post(inject("sharedUrl") + path, JSON.stringify(wanted));
  const text = Buffer.concat(await Array.fromAsync(answer)).toString();
  if (answer.statusCode !== 200) throw new Error(text);
  return JSON.parse(text);
};
