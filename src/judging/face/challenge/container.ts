/**
 * Version 2 of the frame container: the frames of one capture with the times of its camera, signed by the
 * page that took them. docs/formats/frames.md describes the bytes. Browsers write it (write-container.ts),
 * the service reads it here.
 */

/** The public key of a page: P-256 as a JSON Web Key (RFC 7517). */
export type PageKey = {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
};

/** The place of a frame in its capture. */
export type FrameHead = {
  /** The step of the challenge, from 0; -1 for the best image and the frames beside it. */
  readonly step: number;
  /** From 0, within the step. */
  readonly index: number;
  /** Milliseconds of the page's clock since the begin of the capture. */
  readonly capturedMs: number;
  /** When the colour that this frame shows was painted, by the same clock. */
  readonly paintedMs?: number;
};

export type ContainerHead = {
  /** The id of the challenge; empty for a capture without one. */
  readonly challenge: string;
  readonly key: PageKey;
  readonly frames: readonly FrameHead[];
};

export type Container = {
  readonly kind: "container";
  readonly head: ContainerHead;
  /** The bytes of the head as they were signed. */
  readonly headBytes: Uint8Array;
  /** One JPEG for each entry of the head, in its order; the first is the best image. */
  readonly frames: readonly Uint8Array[];
  /** ECDSA with P-256 and SHA-256, in the form of IEEE P1363. */
  readonly signature: Uint8Array;
};

/** Why bytes are no container of version 2. */
export type ContainerFault = {
  readonly kind: "fault";
  readonly fault: "format" | "version" | "count" | "head" | "frame" | "size";
};

export const containerMagic = [0x49, 0x44, 0x4d, 0x46] as const;
export const containerVersion = 2;
export const signatureBytes = 64;
/** Magic, version, count, and the length of the head. */
export const prefixBytes = 10;

/** The most that a reader accepts, before it reads further. */
export const containerLimits = {
  bytesMax: 2 * 1024 * 1024,
  framesMax: 40,
  /** 40 entries of 90 characters, the key and the id take 4 KiB. */
  headBytesMax: 16 * 1024,
  /** A frame of 1280 x 960 pixels in JPEG 90 has 150 to 400 kB. */
  frameBytesMax: 1024 * 1024,
  /** A day: a later time is no time of a capture. */
  timeMsMax: 86_400_000,
} as const;

export type ContainerLimits = { readonly [Name in keyof typeof containerLimits]: number };

const fault = (name: ContainerFault["fault"]): ContainerFault => ({ kind: "fault", fault: name });

/** Reads a container. Copies nothing: head, frames and signature are parts of `bytes`. */
export const readContainer = (
  bytes: Uint8Array,
  limits: ContainerLimits = containerLimits,
): Container | ContainerFault => {
  if (bytes.length > limits.bytesMax) return fault("size");
  if (bytes.length < prefixBytes || containerMagic.some((byte, i) => bytes[i] !== byte)) {
    return fault("format");
  }
  if (bytes[4] !== containerVersion) return fault("version");
  const count = bytes[5]!;
  if (count < 1 || count > limits.framesMax) return fault("count");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headLength = view.getUint32(6);
  if (headLength > limits.headBytesMax || prefixBytes + headLength > bytes.length) return fault("head");
  const headBytes = bytes.subarray(prefixBytes, prefixBytes + headLength);
  const head = parseHead(headBytes, count, limits.timeMsMax);
  if (head === undefined) return fault("head");
  const body = readFrames(bytes, view, prefixBytes + headLength, count, limits.frameBytesMax);
  if ("kind" in body) return body;
  if (bytes.length - body.end !== signatureBytes) return fault("size");
  return { kind: "container", head, headBytes, frames: body.frames, signature: bytes.subarray(body.end) };
};

type Body = { readonly frames: readonly Uint8Array[]; readonly end: number };

const readFrames = (
  bytes: Uint8Array,
  view: DataView,
  start: number,
  count: number,
  frameBytesMax: number,
): Body | ContainerFault => {
  const frames: Uint8Array[] = [];
  let end = start;
  for (let i = 0; i < count; i++) {
    if (end + 4 > bytes.length) return fault("size");
    const length = view.getUint32(end);
    const next = end + 4 + length;
    if (length > frameBytesMax) return fault("frame");
    if (next > bytes.length) return fault("size");
    const frame = bytes.subarray(end + 4, next);
    if (!isJpeg(frame)) return fault("frame");
    frames.push(frame);
    end = next;
  }
  return { frames, end };
};

/** The first three bytes of every JPEG: the start of image and the first marker (ITU-T T.81, B.1.1). */
const isJpeg = (frame: Uint8Array): boolean => frame[0] === 0xff && frame[1] === 0xd8 && frame[2] === 0xff;

const parseHead = (bytes: Uint8Array, count: number, timeMsMax: number): ContainerHead | undefined => {
  const fields = fieldsOf(parseJson(bytes), ["challenge", "key", "frames"]);
  if (fields === undefined) return undefined;
  const { challenge, key, frames } = fields;
  const pageKey = parsePageKey(key);
  const isId = typeof challenge === "string" && /^(?:[\w-]{22})?$/.test(challenge);
  if (!isId || pageKey === undefined || !Array.isArray(frames) || frames.length !== count) return undefined;
  const places = frames.map((one) => parseFrame(one, timeMsMax)).filter((one) => one !== undefined);
  return places.length === count ? { challenge, key: pageKey, frames: places } : undefined;
};

const parseJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

/** The fields of an object that has no other than these. */
const fieldsOf = (
  value: unknown,
  names: readonly string[],
): Readonly<Record<string, unknown>> | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  return entries.every(([name]) => names.includes(name)) ? Object.fromEntries(entries) : undefined;
};

/** 32 bytes in Base64url: a coordinate of P-256 (RFC 7518, 6.2.1.2). */
const coordinate = /^[\w-]{43}$/;

/** The public key of a page; undefined for any other value, private keys included. */
export const parsePageKey = (value: unknown): PageKey | undefined => {
  const fields = fieldsOf(value, ["kty", "crv", "x", "y"]);
  if (fields?.["kty"] !== "EC" || fields["crv"] !== "P-256") return undefined;
  const { x, y } = fields;
  const isPoint = typeof x === "string" && typeof y === "string" && coordinate.test(x) && coordinate.test(y);
  return isPoint ? { kty: "EC", crv: "P-256", x, y } : undefined;
};

const parseFrame = (value: unknown, timeMsMax: number): FrameHead | undefined => {
  const fields = fieldsOf(value, ["step", "index", "capturedMs", "paintedMs"]);
  if (fields === undefined) return undefined;
  const { step, index, capturedMs, paintedMs } = fields;
  if (!isWhole(step, -1, 40) || !isWhole(index, 0, 40) || !isWhole(capturedMs, 0, timeMsMax))
    return undefined;
  if (paintedMs === undefined) return { step, index, capturedMs };
  return isWhole(paintedMs, 0, timeMsMax) ? { step, index, capturedMs, paintedMs } : undefined;
};

const isWhole = (value: unknown, least: number, most: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
