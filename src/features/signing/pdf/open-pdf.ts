import { Failure } from "#contract/failure";
import { bufferOf } from "./bytes.ts";
import { checkPages } from "./check-pages.ts";
import { DamagedPdf } from "./damaged.ts";
import { makeInflateBudget } from "./inflate.ts";
import { parsePdf } from "./parse.ts";
import { makePdfFile } from "./pdf-file.ts";
import { readXref } from "./read-xref.ts";
import { repairPdf } from "./repair.ts";
import { makeSteps, type Steps, stepsFor } from "./steps.ts";
import { translateError } from "./translate-error.ts";
import type { PdfFile, PdfLimits } from "./types.ts";
import type { Xref } from "./xref.ts";

/** Largest of what real files have, with room: the corpora of pdf.js, qpdf, DSS and pyHanko have less than 200,000 objects. */
export const standardLimits: PdfLimits = {
  bytesMax: 50 * 1024 * 1024,
  objectsMax: 500_000,
  sectionsMax: 1000,
  pagesMax: 20_000,
  inflatedBytesMax: 128 * 1024 * 1024,
  stepsMax: 120_000_000,
};

export type OpenOptions = {
  readonly password?: string;
  readonly limits?: Partial<PdfLimits>;
  /** Counts the steps of reading; absent: by the limits. */
  readonly steps?: Steps;
};

/** A header is searched in this many bytes, as readers do (ISO 32000-1, annex H.3, note 13). */
const headerBytesMax = 1024;

const holds = (bytes: Uint8Array, text: string): boolean => bufferOf(bytes).includes(text);

type Sound = { readonly bytes: Uint8Array; readonly xref: Xref; readonly repaired: boolean };

/** The file with a readable cross-reference: as sent, without the bytes before its header, or repaired. */
const makeSound = (sent: Uint8Array, limits: PdfLimits, steps: Steps): Sound => {
  const budget = makeInflateBudget(limits.inflatedBytesMax);
  const bounds = { ...limits, budget, steps };
  const headerAt = bufferOf(sent.subarray(0, headerBytesMax)).indexOf("%PDF-");
  if (headerAt < 0) throw new Failure("pdf_unreadable", { reason: "no_header" });
  // Asked only where it matters: the search takes longer than the reading of a sound file of 50 MB.
  const isSigned = (): boolean => holds(sent, "/ByteRange");
  // Offsets count from the header in practice. A signed file stays as it is.
  const bytes = headerAt === 0 || isSigned() ? sent : sent.subarray(headerAt);
  try {
    return { bytes, xref: readXref(bytes, bounds), repaired: bytes !== sent && headerAt > 0 };
  } catch (error) {
    if (!(error instanceof DamagedPdf)) throw error;
    if (isSigned()) throw new Failure("pdf_damaged_and_signed", { reason: error.message }, { cause: error });
    if (holds(sent, "/Encrypt")) throw new Failure("pdf_unreadable", { reason: "damaged_and_encrypted" });
    const mended = repairPdf(bytes, bounds);
    return { bytes: mended, xref: readXref(mended, bounds), repaired: true };
  }
};

/**
 * Opens a PDF to append revisions. The bytes of `original` never change. Fails with pdf_unreadable, pdf_too_large,
 * pdf_needs_password or pdf_damaged_and_signed. An empty user password is tried where none is given.
 */
export const openPdf = async (sent: Uint8Array, options: OpenOptions = {}): Promise<PdfFile> => {
  const limits = { ...standardLimits, ...options.limits };
  if (sent.length > limits.bytesMax)
    throw new Failure("pdf_too_large", { bytes: sent.length, bytesMax: limits.bytesMax });
  try {
    const steps = options.steps ?? makeSteps(stepsFor(sent.length, limits.stepsMax));
    const sound = makeSound(sent, limits, steps);
    const budget = makeInflateBudget(limits.inflatedBytesMax);
    const model = await parsePdf(sound.bytes, sound.xref, {
      password: options.password,
      budget,
      steps,
      nodesMax: 2 * limits.pagesMax,
    });
    checkPages(model, limits, sound.repaired);
    return makePdfFile(model, { repaired: sound.repaired, budget, limits });
  } catch (error) {
    throw translateError(error, limits);
  }
};
