/**
 * The answer of a call as a file in place of JSON, with the headers that it needs beside those of every
 * answer.
 */
export class FileAnswer {
  readonly contentType: string;
  readonly parts: readonly Uint8Array[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    contentType: string,
    parts: readonly Uint8Array[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    this.contentType = contentType;
    this.parts = parts;
    this.headers = headers;
  }
}
