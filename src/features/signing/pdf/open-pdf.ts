import { Failure } from "#contract/failure";
import { bufferOf } from "./bytes.ts";
import { DamagedPdf } from "./damaged.ts";
import { makeInflateBudget } from "./inflate.ts";
import { openModel, type SoundFile } from "./open-model.ts";
import { findLostContent } from "./page-contents.ts";
import { makePdfFile } from "./pdf-file.ts";
import { headerBytesMax } from "./reader/open-view.ts";
import { repairPdf } from "./repair.ts";
import { readSoundSections } from "./sound-sections.ts";
import { makeSteps, type Steps, stepsFor } from "./steps.ts";
import { translateError } from "./translate-error.ts";
import type { PdfFile, PdfLimits } from "./types.ts";

/**
 * Largest of what real files have, with room: the corpora of pdf.js, qpdf, DSS and pyHanko have less than
 * 200,000 objects.
 */
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
  /** Refuses a file of which a page lost its content: a person would sign what no reader shows. */
  readonly requiresContents?: boolean;
  /** Counts the steps of reading; absent: by the limits. */
  readonly steps?: Steps;
};

const holds = (bytes: Uint8Array, text: string): boolean => bufferOf(bytes).includes(text);

/** The file with a readable cross-reference: as sent, without the bytes before its header, or repaired. */
const makeSound = (sent: Uint8Array, limits: PdfLimits, steps: Steps): SoundFile => {
  const bounds = () => ({ limits, steps, budget: makeInflateBudget(limits.inflatedBytesMax) });
  const headerAt = bufferOf(sent.subarray(0, headerBytesMax)).indexOf("%PDF-");
  if (headerAt < 0) throw new Failure("pdf_unreadable", { reason: "no_header" });
  // Asked only where it matters: the search takes longer than the reading of a sound file of 50 MB.
  const isSigned = (): boolean => holds(sent, "/ByteRange");
  // Offsets count from the header in practice. A signed file stays as it is.
  const bytes = headerAt === 0 || isSigned() ? sent : sent.subarray(headerAt);
  const open = (from: Uint8Array, repaired: boolean): SoundFile => {
    const source = { bytes: from, ...bounds() };
    return { ...source, ...readSoundSections(source), repaired };
  };
  try {
    return open(bytes, bytes !== sent);
  } catch (error) {
    if (!(error instanceof DamagedPdf)) throw error;
    if (isSigned()) throw new Failure("pdf_damaged_and_signed", { reason: error.message }, { cause: error });
    if (holds(sent, "/Encrypt")) throw new Failure("pdf_unreadable", { reason: "damaged_and_encrypted" });
    return open(repairPdf(bytes, { ...bounds(), objectsMax: limits.objectsMax }), true);
  }
};

/**
 * Opens a PDF to append revisions. The bytes of `original` never change. Fails with pdf_unreadable,
 * pdf_too_large, pdf_needs_password or pdf_damaged_and_signed. An empty user password is tried where none is
 * given.
 */
export const openPdf = async (sent: Uint8Array, options: OpenOptions = {}): Promise<PdfFile> => {
  const limits = { ...standardLimits, ...options.limits };
  if (sent.length > limits.bytesMax)
    throw new Failure("pdf_too_large", { bytes: sent.length, bytesMax: limits.bytesMax });
  try {
    const steps = options.steps ?? makeSteps(stepsFor(sent.length, limits.stepsMax));
    const { repaired, ...sound } = makeSound(sent, limits, steps);
    const model = openModel({ ...sound, repaired }, limits, options.password);
    const lost = options.requiresContents === true ? findLostContent(model) : undefined;
    if (lost !== undefined)
      throw new Failure("pdf_unreadable", { reason: "page_content_missing", page: lost });
    return makePdfFile(model, { repaired, limits });
  } catch (error) {
    throw translateError(error, limits);
  }
};
