import type { MadeCall } from "./client.ts";

/** A file that stands for a long field of a call. */
export type CallFile = { readonly name: string; readonly field: string; readonly value: string };

/** A call as a command of a shell, and the files that it reads. */
export type Curl = { readonly command: string; readonly files: readonly CallFile[] };

/** A longer text is read from a file. */
const fieldLengthMax = 400;

/** Base64 of the first bytes of each format. */
const endings = [
  ["/9j/", "jpg"],
  ["iVBOR", "png"],
  ["UklGR", "webp"],
  ["AAAA", "avif"],
] as const;

/** Whether a text is an image in Base64. */
export const isImage = (value: string): boolean => endings.some(([start]) => value.startsWith(start));

const nameOf = (field: string, value: string): string =>
  `${field}.${endings.find(([start]) => value.startsWith(start))?.[1] ?? "txt"}`;

/** The text of a file as the shell puts it into the body: images become Base64, tokens are it already. */
const readingOf = (name: string): string =>
  name.endsWith(".txt") ? `$(cat ${name})` : `$(base64 < ${name} | tr -d '\\n')`;

/** In a here-document the shell reads these characters. */
const escapeForShell = (text: string): string => text.replaceAll(/[\\$`]/g, "\\$&");

const markOf = (name: string): string => `@file:${name}@`;

/**
 * The command that repeats a call, with the key in `$KEY`. Images and tokens stand in files beside it,
 * because they are too long for a command line.
 */
export const writeCurl = (
  { method, path, body }: Pick<MadeCall, "method" | "path" | "body">,
  service: string,
): Curl => {
  const start = `curl -s '${service}${path}' -H "x-api-key: $KEY"`;
  if (method === "GET") return { command: start, files: [] };
  const files: CallFile[] = [];
  const text = JSON.stringify(
    body,
    (field, value: unknown) => {
      if (typeof value !== "string" || value.length <= fieldLengthMax) return value;
      const name = nameOf(field, value);
      files.push({ name, field, value });
      return markOf(name);
    },
    2,
  );
  const filled = files.reduce(
    (written, { name }) => written.replace(markOf(name), () => readingOf(name)),
    escapeForShell(text),
  );
  const command = `${start} -H 'content-type: application/json' -d @- <<BODY\n${filled}\nBODY`;
  return { command, files };
};
