import { setImmediate as nextTurn } from "node:timers/promises";
import type { EgressAnswer } from "#machine/egress/egress";
import { scanJson } from "#machine/http/json-scan";
import { RegistryFault } from "./fault.ts";

/** application/json, or a type that is written in it (RFC 6839, 3.1). */
const jsonType = /^application\/(?:[\w.!#$&^+-]+\+)?json$/i;

/** Why the content is no JSON in UTF-8 without compression, by its headers; undefined for JSON. */
const contentFault = ({ headers }: Pick<EgressAnswer, "headers">): string | undefined => {
  const [type = "", ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim());
  if (!jsonType.test(type)) return "its answer is not JSON";
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice("charset=".length);
  if (charset !== undefined && !/^"?utf-?8"?$/i.test(charset)) return "its answer is not in UTF-8";
  const encoding = headers["content-encoding"] ?? "identity";
  return encoding.toLowerCase() === "identity" ? undefined : "its answer is compressed";
};

/** Whether the headers announce JSON that can be read. */
export const isJson = (answer: Pick<EgressAnswer, "headers">): boolean => contentFault(answer) === undefined;

/** Every byte of a body, which `egress` bounds. */
export const readBytes = async ({ body }: Pick<EgressAnswer, "body">): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The JSON of an answer. Throws RegistryFault where it is none, or too deep or too large in structure. */
export const readJson = async (answer: EgressAnswer): Promise<unknown> => {
  const fault = contentFault(answer);
  if (fault !== undefined) {
    answer.discard();
    throw new RegistryFault(fault);
  }
  const bytes = await readBytes(answer);
  try {
    scanJson(bytes);
    // Scan and parser of a large answer take a few milliseconds each: other calls may run between.
    await nextTurn();
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    // The parser's own message quotes the answer: it is not kept.
    const isOurs = cause instanceof Error && "code" in cause && cause.code === "json_unreadable";
    throw new RegistryFault("its JSON cannot be read", isOurs ? { cause } : {});
  }
};
