import { Failure } from "./failure.ts";
import { type ValidationCode, validationCode } from "./validation-code.ts";

type Base64Limits = {
  /** The most decoded bytes of an image. If absent, only the request body limits it. */
  readonly bytesMax?: number;
};

/** Why a text is no Base64, as the end of a sentence that begins with its field. */
type Fault = { readonly message: string; readonly code: ValidationCode };
type Decoded = { readonly bytes: Buffer } | { readonly fault: Fault } | { readonly tooLarge: Failure };

/** Longest `data:` prefix to recognise; an image type with parameters fits. */
const dataUrlPrefixMax = 128;

/** Removes `data:image/jpeg;base64,`: browsers' own readers add it, and no Base64 text can start with it. */
const withoutDataUrl = (field: string): string => {
  if (!/^data:/i.test(field.slice(0, 5))) return field;
  const prefix =
    /^data:(?:image\/[\w.+-]{1,40}|application\/octet-stream)?(?:;[\w.+=-]{1,40})?;base64,/i.exec(
      field.slice(0, dataUrlPrefixMax),
    );
  return prefix ? field.slice(prefix[0].length) : field;
};

const carriageReturn = 13;
const lineFeed = 10;

/** MIME encoders (RFC 2045, 6.8) break lines. Only line breaks are removed: any other blank is damage. */
const withoutLineBreaks = (field: string): string => {
  const breaksLines = field.includes("\n") || field.includes("\r");
  if (!breaksLines) return field;
  const bytes = Buffer.from(field, "latin1");
  let kept = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte !== lineFeed && byte !== carriageReturn) bytes[kept++] = byte;
  }
  // A character above U+00FF would be cut to one byte. The length check of the caller must detect it.
  return bytes.length === Buffer.byteLength(field, "utf8") ? bytes.toString("latin1", 0, kept) : field;
};

/** Number of bytes that `length` Base64 characters encode; undefined where no byte sequence has that many. */
const bytesOf = (length: number): number | undefined => {
  const rest = length % 4;
  return rest === 1 ? undefined : Math.floor((length * 3) / 4);
};

const unpadded = (field: string): string | undefined => {
  const body = field.endsWith("==") ? field.slice(0, -2) : field.endsWith("=") ? field.slice(0, -1) : field;
  const isPadded = body.length !== field.length;
  return isPadded && field.length % 4 !== 0 ? undefined : body;
};

/** The result of reading a text as Base64. */
export type Decoding = {
  /** Number of bytes that a text of this length encodes; absent where no byte sequence has that many. */
  readonly size?: number;
  /** Absent where the text is no valid Base64, or encodes more bytes than asked for. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /**
   * UTF-8 of a long text that is no Base64, such as a tracking token of another SDK; absent where it is
   * larger.
   */
  readonly text?: Uint8Array<ArrayBuffer>;
  /** SHA-256 (hex) of a long text that is no Base64 and too large for `text`. */
  readonly sha256?: string;
};

/**
 * A long text of a request body, read as Base64 where the body was read (machine/http/read-json.ts). It
 * stands in the body in place of the text, so that images and tokens never become strings of the main thread.
 */
export class EncodedBytes {
  /** The first characters of the text; the whole text if it has no more. */
  readonly head: string;
  readonly decoding: Decoding;

  constructor(head: string, decoding: Decoding) {
    this.head = head;
    this.decoding = decoding;
  }
}

/** Bytes of an answer that are written as one text in Base64, part after part and without a copy. */
export class Base64Parts {
  readonly parts: readonly Uint8Array[];

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
  }

  /** Characters of the text. */
  get length(): number {
    return 4 * Math.ceil(this.parts.reduce((sum, part) => sum + part.length, 0) / 3);
  }
}

/** The value of a Base64 field: a text, or a long text that is decoded already. */
export type Base64Text = string | EncodedBytes;

/**
 * Reads a text as Base64 and decodes it if it encodes at most `bytesMax` bytes. The bytes own their buffer.
 * Node's decoder skips characters outside Base64 and accepts the URL alphabet too. So check that nothing was
 * skipped: the byte count must match the length, and the last group must re-encode to itself (RFC 4648, 3.5:
 * unused bits are zero), so that one value has one spelling.
 */
export const readBase64 = (text: string, bytesMax = Number.POSITIVE_INFINITY): Decoding => {
  const body = unpadded(withoutLineBreaks(withoutDataUrl(text)));
  const size = body === undefined || body === "" ? undefined : bytesOf(body.length);
  if (body === undefined || size === undefined) return {};
  if (size > bytesMax) return { size };
  const bytes = Buffer.allocUnsafeSlow(size);
  const isWhole = bytes.write(body, "base64") === size && endsCanonically(body, bytes);
  return isWhole ? { size, bytes } : { size };
};

/** Characters that are decoded at once: a multiple of four. */
const chunkChars = 1024 * 1024;

/**
 * The same for a long text as it lies in a buffer, without a string of its length: chunk after chunk.
 * Undefined where the text is not Base64 in its plain form (with line breaks or a prefix, for example): then
 * {@link readBase64} decides.
 */
export const readPlainBase64 = (text: Buffer): Decoding | undefined => {
  const padding = text.at(-1) !== equalsSign ? 0 : text.at(-2) === equalsSign ? 2 : 1;
  const length = text.length - padding;
  const size = padding > 0 && text.length % 4 !== 0 ? undefined : bytesOf(length);
  if (size === undefined || size === 0) return undefined;
  const bytes = Buffer.allocUnsafeSlow(size);
  for (let from = 0; from < length; from += chunkChars) {
    const chunk = text.toString("latin1", from, Math.min(from + chunkChars, length));
    const expected = Math.floor((chunk.length * 3) / 4);
    if (bytes.write(chunk, (from / 4) * 3, "base64") !== expected) return undefined;
  }
  const tail = text.toString("latin1", Math.max(0, length - 4), length);
  return endsCanonically(tail, bytes) ? { size, bytes } : undefined;
};

const equalsSign = 61;

const notBase64: Decoded = {
  fault: { message: "is not valid Base64", code: validationCode.imageNotBase64.code },
};

const decode = (name: string, value: Base64Text, bytesMax?: number): Decoded => {
  if (value === "") return { fault: { message: "is empty", code: validationCode.imageNotFound.code } };
  const { size, bytes } = value instanceof EncodedBytes ? value.decoding : readBase64(value, bytesMax);
  if (size !== undefined && bytesMax !== undefined && size > bytesMax) {
    return { tooLarge: largerThan(name, bytesMax) };
  }
  return bytes === undefined
    ? notBase64
    : { bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
};

const endsCanonically = (body: string, bytes: Buffer): boolean => {
  const rest = bytes.length % 3;
  if (rest === 0) return true;
  const tail = bytes.subarray(bytes.length - rest);
  const written = body.slice(body.length - (rest + 1));
  return tail.toString("base64url") === written.replaceAll("+", "-").replaceAll("/", "_");
};

/**
 * Decodes every given field. Fails with request_invalid naming all wrong fields, or else with
 * image_too_large. Accepts both alphabets of RFC 4648, with or without padding, line breaks and the `data:`
 * prefix of an image; refuses anything else (blanks, other characters, a cut group, an empty field).
 */
export const decodeBase64Fields = <Name extends string>(
  fields: Readonly<Record<Name, { readonly value: Base64Text } & Base64Limits>>,
): Readonly<Record<Name, Buffer>> => {
  const bytes: Partial<Record<Name, Buffer>> = {};
  const errors: string[] = [];
  let code: number | undefined;
  let tooLarge: Failure | undefined;
  for (const name in fields) {
    const decoded = decode(name, fields[name].value, fields[name].bytesMax);
    if ("bytes" in decoded) bytes[name] = decoded.bytes;
    else if ("tooLarge" in decoded) tooLarge ??= decoded.tooLarge;
    else {
      errors.push(`${name}: ${decoded.fault.message}`);
      code ??= decoded.fault.code;
    }
  }
  if (code === undefined && tooLarge !== undefined) throw tooLarge;
  if (code !== undefined || !hasAll(bytes, Object.keys(fields))) throw invalid(errors, code);
  return bytes;
};

const hasAll = <Name extends string>(
  bytes: Partial<Record<Name, Buffer>>,
  names: readonly string[],
): bytes is Record<Name, Buffer> => names.every((name) => name in bytes);

const invalid = (errors: readonly string[], code: number | undefined): Failure =>
  new Failure("request_invalid", { errors, ...(code !== undefined && { code }) });

/** The refusal of an image with too many bytes. */
export const largerThan = (field: string, bytesMax: number): Failure =>
  new Failure("image_too_large", { errors: [`${field}: has more than ${bytesMax} bytes`], field, bytesMax });

/** Decodes one field; see {@link decodeBase64Fields}. */
export const decodeBase64 = (field: string, value: Base64Text, limits: Base64Limits = {}): Buffer =>
  decodeBase64Fields({ [field]: { value, ...limits } })[field]!;
