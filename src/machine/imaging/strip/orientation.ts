/** The tag of the orientation in IFD0 (Exif 2.32, 4.6.4), and the type of a number of 16 bits. */
const [tagOrientation, typeShort] = [0x0112, 3];
const entriesMax = 256;

/** Where the block of TIFF begins. Some files have `Exif\0\0` before it. */
const startOf = (block: Uint8Array): number => (block[0] === 0x45 && block[1] === 0x78 ? 6 : 0);

/** The orientation in a raw EXIF block, from 1 to 8; 1 without one, and for a broken block. */
export const readOrientation = (block: Uint8Array): number => {
  const start = startOf(block);
  if (block.length < start + 8) return 1;
  const view = new DataView(block.buffer, block.byteOffset + start, block.length - start);
  const isLittle = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, isLittle);
  if (directory + 2 > view.byteLength) return 1;
  const entries = Math.min(entriesMax, view.getUint16(directory, isLittle));
  for (let index = 0; index < entries; index++) {
    const at = directory + 2 + 12 * index;
    if (at + 12 > view.byteLength) return 1;
    if (view.getUint16(at, isLittle) !== tagOrientation) continue;
    const value = view.getUint16(at + 2, isLittle) === typeShort ? view.getUint16(at + 8, isLittle) : 1;
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
};

/** A block of TIFF that states an orientation and nothing else. */
export const writeOrientation = (orientation: number): Buffer => {
  const block = Buffer.alloc(26);
  block.write("MM", 0, "latin1");
  block.writeUInt16BE(42, 2);
  block.writeUInt32BE(8, 4);
  block.writeUInt16BE(1, 8);
  block.writeUInt16BE(tagOrientation, 10);
  block.writeUInt16BE(typeShort, 12);
  block.writeUInt32BE(1, 14);
  block.writeUInt16BE(orientation, 18);
  return block;
};
