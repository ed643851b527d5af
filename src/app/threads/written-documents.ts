/**
 * PDF documents that a signing thread writes itself. Loaded with the first of them: their shapes and fonts
 * take half a second of processor time, and most threads only sign what a caller sent.
 */
import { certificateFile } from "#features/clearing/certificate/certificate";
import { makeDrawQr } from "#features/clearing/certificate/draw-qr";
import { writeCertificate } from "#features/clearing/certificate/write-pdf";
import type { Attachment } from "#features/signing/evidence/bundle/bundle";
import { contentFileOf } from "#features/signing/evidence/bundle/collect";
import { contentShape } from "#features/signing/evidence/bundle/content";
import { writeReport } from "#features/signing/evidence/bundle/report/write-report";

const parse = (document: Uint8Array): unknown => JSON.parse(Buffer.from(document).toString("utf8"));

const drawQr = makeDrawQr();

/**
 * The report of an evidence bundle. `content` is `evidence.json`, which the main thread wrote a moment ago.
 */
export const reportOf = (content: Uint8Array, files: readonly Attachment[]): Promise<Uint8Array> =>
  writeReport(contentShape.Parse(parse(content)), [contentFileOf(content), ...files]);

/** A certificate of pension clearing. `content` is its content in JSON, of the main thread. */
export const certificateOf = (content: Uint8Array): Promise<Uint8Array> =>
  writeCertificate(certificateFile.Parse(parse(content)), drawQr);
