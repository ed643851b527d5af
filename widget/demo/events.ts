import { readJsonText, textAt, valueAt } from "./answer.ts";
import type { Client } from "./client.ts";

/** An event as the mailbox received it, with both its signatures checked. */
export type ReceivedEvent = {
  readonly id: string;
  readonly name: string;
  readonly sequence: number;
  readonly receivedAt: string;
  readonly isVerified: boolean;
  readonly body: unknown;
};

/** An event of the operation in a message of the mailbox; undefined for one of another operation. */
export const readEvent = (message: unknown, operationId: string): ReceivedEvent | undefined => {
  const body = readJsonText(textAt(message, "body"));
  if (textAt(body, "source")?.endsWith(`/operations/${operationId}`) !== true) return undefined;
  return {
    id: textAt(body, "id") ?? "",
    // The type is …<vendor>.<name>.<version>.
    name: textAt(body, "type")?.split(".").at(-2) ?? "",
    sequence: Number(valueAt(body, "sequence")),
    receivedAt: textAt(message, "receivedAt") ?? "",
    isVerified: valueAt(message, "webhook.holds") === true && valueAt(message, "event.holds") === true,
    body,
  };
};

/** Makes a destination for the mailbox where the tenant has none. */
export const ensureMailbox = async (client: Client): Promise<void> => {
  const existing = valueAt(await client.get("/operator/destinations"), "destinations");
  const hasOne = Array.isArray(existing) && existing.some((one) => textAt(one, "url") === "mailbox:");
  if (hasOne) return;
  await client.post("/operator/destinations", { name: "Mailbox", url: "mailbox:", topics: ["*"] });
};

/** The messages in what has arrived of a stream of server-sent events, and the rest that is not whole yet. */
export const splitFrames = (
  text: string,
): { readonly messages: readonly unknown[]; readonly rest: string } => {
  const frames = text.split("\n\n");
  const rest = frames.pop() ?? "";
  const lines = frames.flatMap((frame) => frame.split("\n")).filter((line) => line.startsWith("data: "));
  return { messages: lines.map((line) => readJsonText(line.slice("data: ".length))), rest };
};

/**
 * Hands over each event of the operation as it arrives, until the signal aborts or the service ends the
 * stream.
 */
export const followEvents = async (
  client: Client,
  operationId: string,
  take: (event: ReceivedEvent) => void,
  signal: AbortSignal,
): Promise<void> => {
  const stream = await client.stream(signal);
  if (stream === undefined) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const split = splitFrames(rest + value);
    rest = split.rest;
    for (const message of split.messages) {
      const event = readEvent(message, operationId);
      if (event !== undefined) take(event);
    }
  }
};
