import { Failure } from "./failure.ts";
import { type ValidationCode, validationCode } from "./validation-code.ts";

type Base64Limits = {
  /** Most decoded bytes of a picture. Absent: as many as the request body holds. */
  readonly bytesMax?: number;
};

type Fault = { readonly message: string; readonly code: ValidationCode };
type Decoded = { readonly bytes: Buffer } | { readonly fault: Fault } | { readonly tooLarge: Failure };

/** Longest `data:` prefix that is looked for; a picture's type with parameters fits. */
const dataUrlPrefixMax = 128;

/** `data:image/jpeg;base64,` is cut off: browsers' own readers put it there, and nothing else can start so. */
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

/** MIME encoders (RFC 2045, 6.8) break lines. Only line breaks are forgiven: any other blank is a damaged value. */
const withoutLineBreaks = (field: string): string => {
  const breaksLines = field.includes("\n") || field.includes("\r");
  if (!breaksLines) return field;
  const bytes = Buffer.from(field, "latin1");
  let kept = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte !== lineFeed && byte !== carriageReturn) bytes[kept++] = byte;
  }
  // A character above U+00FF would have been cut to a byte: the caller's length check must see it.
  return bytes.length === Buffer.byteLength(field, "utf8") ? bytes.toString("latin1", 0, kept) : field;
};

/** Bytes that `length` Base64 characters stand for, or undefined where no byte sequence has that many. */
const bytesOf = (length: number): number | undefined => {
  const rest = length % 4;
  return rest === 1 ? undefined : Math.floor((length * 3) / 4);
};

const unpadded = (field: string): string | undefined => {
  const body = field.endsWith("==") ? field.slice(0, -2) : field.endsWith("=") ? field.slice(0, -1) : field;
  const isPadded = body.length !== field.length;
  return isPadded && field.length % 4 !== 0 ? undefined : body;
};

/**
 * Node's decoder skips what is no Base64 and takes the URL alphabet too, so the check is that nothing was
 * skipped: the byte count must be what the length promises, and the last group must say the same when written
 * again (RFC 4648, 3.5: unused bits are zero), so that one value has one spelling.
 */
const decode = (
  name: string,
  wire: string,
  { bytesMax = Number.POSITIVE_INFINITY }: Base64Limits = {},
): Decoded => {
  if (wire === "") return { fault: { message: "is empty", code: validationCode.imageNotFound.code } };
  const field = withoutLineBreaks(withoutDataUrl(wire));
  const body = unpadded(field);
  const size = body === undefined ? undefined : bytesOf(body.length);
  const notBase64: Decoded = {
    fault: { message: "is not valid Base64", code: validationCode.imageNotBase64.code },
  };
  if (body === undefined || size === undefined || body === "") return notBase64;
  if (size > bytesMax) return { tooLarge: largerThan(name, bytesMax) };
  const bytes = Buffer.from(body, "base64");
  if (bytes.length !== size || !endsCanonically(body, bytes)) return notBase64;
  return { bytes };
};

const endsCanonically = (body: string, bytes: Buffer): boolean => {
  const rest = bytes.length % 3;
  if (rest === 0) return true;
  const tail = bytes.subarray(bytes.length - rest);
  const written = body.slice(body.length - (rest + 1));
  return tail.toString("base64url") === written.replaceAll("+", "-").replaceAll("/", "_");
};

/**
 * Decodes every given field, or fails with request_invalid naming all that are wrong, or else with image_too_large.
 * Both alphabets of RFC 4648, with or without padding, line breaks and a `data:` prefix of a picture are taken; anything
 * else (blanks, other characters, a cut group, an empty field) is refused.
 */
export const decodeBase64Fields = <Name extends string>(
  fields: Readonly<Record<Name, { readonly value: string } & Base64Limits>>,
): Readonly<Record<Name, Buffer>> => {
  const bytes: Partial<Record<Name, Buffer>> = {};
  const errors: string[] = [];
  let code: number | undefined;
  let tooLarge: Failure | undefined;
  for (const name in fields) {
    const decoded = decode(name, fields[name].value, fields[name]);
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

/** What is wrong with a Base64 text that nothing reads; undefined where it is good. */
export const base64Fault = (value: string): Fault | undefined => {
  const decoded = decode("", value);
  return "fault" in decoded ? decoded.fault : undefined;
};

/** The refusal of a picture of too many bytes. */
export const largerThan = (field: string, bytesMax: number): Failure =>
  new Failure("image_too_large", { errors: [`${field}: has more than ${bytesMax} bytes`], field, bytesMax });

/** Decodes one field; see decodeBase64Fields. */
export const decodeBase64 = (field: string, value: string, limits: Base64Limits = {}): Buffer =>
  decodeBase64Fields({ [field]: { value, ...limits } })[field]!;
