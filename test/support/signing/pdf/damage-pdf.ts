/** Random bytes of a file: where a damage begins, and how far it reaches. */
type Place = { readonly at: number; readonly length: number; readonly random: () => number };

type Damage = (bytes: Buffer, place: Place) => Buffer;

const replace = (bytes: Buffer, at: number, removed: number, ...inserted: readonly Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...inserted, bytes.subarray(at + removed)]);

const mapText = (bytes: Buffer, change: (text: string) => string): Buffer =>
  Buffer.from(change(bytes.toString("latin1")), "latin1");

const kinds = ["cut", "hole", "repeated", "late", "zeros", "noise", "lines", "sevenBits", "stray"] as const;

export type DamageKind = (typeof kinds)[number];

export const damageKinds: readonly DamageKind[] = kinds;

/** What transfers and disks do to files. */
const damages: Readonly<Record<DamageKind, Damage>> = {
  /** A transfer that ended early. */
  cut: (bytes, { at }) => bytes.subarray(0, at),
  /** A block that did not arrive. */
  hole: (bytes, { at, length }) => replace(bytes, at, length),
  /** A block that arrived twice. */
  repeated: (bytes, { at, length }) => replace(bytes, at, 0, bytes.subarray(at, at + length)),
  /** A block that arrived late. */
  late: (bytes, { at, length }) => {
    const [block, next] = [bytes.subarray(at, at + length), bytes.subarray(at + length, at + 2 * length)];
    return replace(bytes, at, 2 * length, next, block);
  },
  /** A sector that was never written. */
  zeros: (bytes, { at, length }) =>
    replace(bytes, at, length, Buffer.alloc(Math.min(length, bytes.length - at))),
  /** A sector of another file. */
  noise: (bytes, { at, length, random }) =>
    replace(bytes, at, length, Buffer.from(Array.from({ length }, () => Math.floor(256 * random())))),
  /** A transfer as text, which changes line ends. */
  lines: (bytes, { at }) => mapText(bytes, (text) => text.replaceAll("\n", at % 2 === 0 ? "\r\n" : "\r")),
  /** A transfer of seven bits a byte. */
  sevenBits: (bytes) => Buffer.from(bytes.map((byte) => byte & 0x7f)),
  /** An answer of a server in front of the file or behind it. */
  stray: (bytes, { at }) => {
    const page = Buffer.from("<html><body>502 Bad Gateway</body></html>\n");
    return at % 2 === 0 ? Buffer.concat([page, bytes]) : Buffer.concat([bytes, page]);
  },
};

/**
 * Kinds that show in a file whose pages are not compressed. Other bytes of the same length in such a stream
 * are another whole file.
 */
export const plainDamages: readonly DamageKind[] = ["cut", "hole", "stray"];

/** A damaged copy of a file. The same for the same random numbers. */
export const damagePdf = (bytes: Buffer, kind: DamageKind, random: () => number): Buffer => {
  const at = Math.floor(random() * bytes.length);
  const length = 16 + Math.floor(random() * 400);
  return damages[kind](bytes, { at, length, random });
};
