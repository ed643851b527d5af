import { createHash } from "node:crypto";
import { type Folder, run } from "./tools.ts";

/** A signature as it stands in the bytes of a file. */
export type RawSignature = {
  readonly range: readonly [number, number, number, number];
  /** The CMS without the zero bytes behind it. */
  readonly cms: Buffer;
  /** What it covers: the file without its Contents. */
  readonly covered: Buffer;
  /**
   * Upper-case SHA-1 of the Contents with its zero bytes: the key of its validation data (ISO 32000-2,
   * 12.8.4.4).
   */
  readonly key: string;
  readonly isTimestamp: boolean;
  /** Whether the range leaves out exactly the Contents between its brackets. */
  readonly isExact: boolean;
};

/** Object identifier of TSTInfo, in DER. */
const tstInfo = Buffer.from("060b2a864886f70d0109100104", "hex");

const valueAt = (bytes: Buffer, start: number): Buffer => {
  const first = bytes[start + 1] ?? 0;
  const sizeBytes = first < 0x80 ? 0 : first - 0x80;
  const length = sizeBytes === 0 ? first : bytes.readUIntBE(start + 2, sizeBytes);
  return bytes.subarray(start, start + 2 + sizeBytes + length);
};

/** The signatures of a file, in the order of its bytes. */
export const findSignatures = (file: Buffer): readonly RawSignature[] =>
  [...file.toString("latin1").matchAll(/\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g)].map(
    (match) => {
      const [a = 0, b = 0, c = 0, d = 0] = match.slice(1).map(Number);
      const padded = Buffer.from(file.subarray(a + b + 1, c - 1).toString("latin1"), "hex");
      const cms = valueAt(padded, 0);
      return {
        range: [a, b, c, d],
        cms,
        covered: Buffer.concat([file.subarray(a, a + b), file.subarray(c, c + d)]),
        key: createHash("sha1").update(padded).digest("hex").toUpperCase(),
        isTimestamp: cms.subarray(0, 80).includes(tstInfo),
        isExact: a === 0 && file[b] === 0x3c && file[c - 1] === 0x3e,
      };
    },
  );

/**
 * The time-stamp token among the unsigned attributes of a CMS, and the signature that it covers; read by
 * OpenSSL.
 */
export const findStampedSignature = (folder: Folder, cms: Buffer) => {
  const path = folder.write("parsed.p7", cms);
  const lines = run("openssl", "asn1parse", "-inform", "DER", "-in", path).text.split("\n");
  const place = lines.findIndex((line) => line.includes("id-smime-aa-timeStampToken"));
  const offset = Number.parseInt(lines[place + 2] ?? "", 10);
  // The signature is the last OCTET STRING among the fields of the signer.
  const before = place < 0 ? lines : lines.slice(0, place);
  const signature = before.flatMap((line) => {
    const found = /^\s*(\d+):d=5\s+hl=(\d+)\s+l=\s*(\d+)\s+prim:\s*OCTET STRING/.exec(line);
    const [start = 0, head = 0, length = 0] = found?.slice(1).map(Number) ?? [];
    return found === null ? [] : [cms.subarray(start + head, start + head + length)];
  });
  return place < 0 || Number.isNaN(offset)
    ? undefined
    : { token: valueAt(cms, offset), signature: signature.at(-1) ?? Buffer.alloc(0) };
};
