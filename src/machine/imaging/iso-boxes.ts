/** A box of an ISO base media file (ISO/IEC 14496-12, 4.2): its type and where its content lies. */
export type IsoBox = { readonly type: string; readonly from: number; readonly to: number };

/**
 * An item of a file (8.11.6) with the bytes that it has; `extent` is absent where they are not one piece of
 * the file.
 */
export type IsoItem = {
  readonly type: string;
  readonly extent?: { readonly from: number; readonly to: number };
};

const boxesMax = 256;
const itemsMax = 64;

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** All boxes between two places; undefined where one is damaged, or there are over 256. */
export const boxesOf = (bytes: Uint8Array, from: number, to: number): readonly IsoBox[] | undefined => {
  const view = viewOf(bytes);
  const boxes: IsoBox[] = [];
  for (let at = from; at < to; ) {
    if (at + 8 > to || boxes.length === boxesMax) return undefined;
    const stated = view.getUint32(at);
    const isLarge = stated === 1 && at + 16 <= to;
    const length = isLarge ? Number(view.getBigUint64(at + 8)) : stated === 0 ? to - at : stated;
    const head = isLarge ? 16 : 8;
    if (length < head || at + length > to) return undefined;
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    boxes.push({ type, from: at + head, to: at + length });
    at += length;
  }
  return boxes;
};

/** The boxes in a box with version and flags. */
export const childrenOf = (bytes: Uint8Array, { from, to }: IsoBox): readonly IsoBox[] | undefined =>
  boxesOf(bytes, from + 4, to);

/** Reads numbers one after the other. A number behind the end is NaN, which no later check accepts. */
const makeReader = (bytes: Uint8Array, from: number, to: number) => {
  const view = viewOf(bytes);
  let at = from;
  return (size: number): number => {
    at += size;
    if (at > to) return Number.NaN;
    switch (size) {
      case 0:
        return 0;
      case 1:
        return view.getUint8(at - 1);
      case 2:
        return view.getUint16(at - 2);
      case 4:
        return view.getUint32(at - 4);
      case 8:
        return Number(view.getBigUint64(at - 8));
      default:
        return Number.NaN;
    }
  };
};

/**
 * The items that `iinf` names with the places that `iloc` states; undefined where either is damaged or has
 * over 64.
 */
export const readItems = (bytes: Uint8Array, meta: readonly IsoBox[]): readonly IsoItem[] | undefined => {
  const only = (type: string): IsoBox | undefined => {
    const found = meta.filter((box) => box.type === type);
    return found.length === 1 ? found[0] : undefined;
  };
  const [information, locations] = [only("iinf"), only("iloc")];
  if (information === undefined || locations === undefined) return undefined;
  const types = readTypes(bytes, information);
  const extents = readExtents(bytes, locations);
  if (types === undefined || extents === undefined) return undefined;
  return types.map(({ id, type }) => {
    const extent = extents.get(id);
    return extent === undefined ? { type } : { type, extent };
  });
};

/** Numbers and types of the items (8.11.6.2). */
const readTypes = (
  bytes: Uint8Array,
  { from, to }: IsoBox,
): readonly { readonly id: number; readonly type: string }[] | undefined => {
  const countBytes = bytes[from] === 0 ? 2 : 4;
  const entries = boxesOf(bytes, from + 4 + countBytes, to);
  const count = makeReader(bytes, from + 4, to)(countBytes);
  if (entries === undefined || count !== entries.length || count > itemsMax) return undefined;
  const items = entries.map((entry) => {
    const version = bytes[entry.from];
    const idBytes = version === 2 ? 2 : 4;
    const at = entry.from + 4 + idBytes + 2;
    const id = makeReader(bytes, entry.from + 4, entry.to)(idBytes);
    const isReadable = entry.type === "infe" && (version === 2 || version === 3) && at + 4 <= entry.to;
    return isReadable ? { id, type: String.fromCharCode(...bytes.subarray(at, at + 4)) } : undefined;
  });
  const ids = new Set(items.map((item) => item?.id));
  return items.every((item) => item !== undefined) && ids.size === items.length ? items : undefined;
};

/**
 * The one piece of the file of each item (8.11.3.2). Items in several pieces, or in another place, are left
 * out.
 */
const readExtents = (
  bytes: Uint8Array,
  { from, to }: IsoBox,
): ReadonlyMap<number, { readonly from: number; readonly to: number }> | undefined => {
  const version = bytes[from]!;
  const read = makeReader(bytes, from + 4, to);
  const [sizes, moreSizes] = [read(1), read(1)];
  const [offsetBytes, lengthBytes, baseBytes] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexBytes = version === 0 ? 0 : moreSizes & 15;
  const count = read(version < 2 ? 2 : 4);
  if (version > 2 || !(count <= itemsMax)) return undefined;
  const extents = new Map<number, { readonly from: number; readonly to: number }>();
  for (let item = 0; item < count; item++) {
    const id = read(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseBytes);
    const pieces = read(2);
    if (!(pieces <= itemsMax) || extents.has(id)) return undefined;
    for (let piece = 0; piece < pieces; piece++) {
      read(indexBytes);
      const start = base + read(offsetBytes);
      const end = start + read(lengthBytes);
      if (pieces === 1 && method === 0 && start < end && end <= bytes.length) {
        extents.set(id, { from: start, to: end });
      }
    }
  }
  return extents;
};
