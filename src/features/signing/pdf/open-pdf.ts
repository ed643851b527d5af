import { Failure } from "#contract/failure";
import { bufferOf } from "./bytes.ts";
import { DamagedPdf, UpdateCutOff } from "./damaged.ts";
import type { PdfModel } from "./model.ts";
import { openModel } from "./open-model.ts";
import { judgePages } from "./page-contents.ts";
import { makePdfFile } from "./pdf-file.ts";
import { type Bounds, findCutEnd, readAsStated, readRebuilt } from "./read-sound.ts";
import { headerBytesMax } from "./reader/open-view.ts";
import type { Lost, Repair, RepairPolicy } from "./repairs.ts";
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
  /**
   * Refuses a file of which a page lost what it shows, and looks for causes of repair there: a person would
   * sign what no reader shows.
   */
  readonly requiresContents?: boolean;
  /** Absent: a file that is readable only after a repair is refused. */
  readonly repair?: RepairPolicy;
  /** Counts the steps of reading; absent: by the limits. */
  readonly steps?: Steps;
};

/** The setting with which an operator allows repairs. */
const repairSetting = "IDEM_SIGNING_REPAIR=allow";

type Sent = {
  readonly bytes: Uint8Array;
  readonly headerAt: number;
  /** Asked only where it matters: the search takes longer than the reading of a sound file of 50 MB. */
  readonly isSigned: () => boolean;
};

type Opened = { readonly model: PdfModel; readonly repaired: boolean };

/** A file as it stands, and what a repair would have to guess of it. */
type Stated = {
  readonly opened: Opened | undefined;
  readonly repairs: readonly Repair[];
  readonly lost?: Lost;
};

type Wanted = Bounds & Pick<OpenOptions, "password" | "requiresContents">;

const holds = (bytes: Uint8Array, text: string): boolean => bufferOf(bytes).includes(text);

const readHeader = (bytes: Uint8Array): Sent => {
  const headerAt = bufferOf(bytes.subarray(0, headerBytesMax)).indexOf("%PDF-");
  if (headerAt < 0) throw new Failure("pdf_unreadable", { reason: "no_header" });
  return { bytes, headerAt, isSigned: () => holds(bytes, "/ByteRange") };
};

const openStated = (sent: Sent, wanted: Wanted): Stated => {
  try {
    const file = readAsStated(sent.bytes, sent, wanted);
    const model = openModel(file, wanted.limits, wanted.password);
    const end = findCutEnd(sent.bytes, wanted.steps);
    const opened = { model, repaired: file.repaired };
    if (wanted.requiresContents !== true) return { opened, repairs: end };
    const { lost, repairs } = judgePages(model);
    return { opened, repairs: [...end, ...repairs], ...(lost && { lost }) };
  } catch (error) {
    if (!(error instanceof DamagedPdf)) throw error;
    const cause = error instanceof UpdateCutOff ? "update" : "structure";
    return { opened: undefined, repairs: [{ cause, what: error.message }] };
  }
};

/** Refuses a file that may not be repaired. A part of an update would be mixed with the state before it. */
const refuseRepair = ({ bytes, isSigned }: Sent, { cause, what }: Repair, policy: RepairPolicy): void => {
  if (isSigned()) throw new Failure("pdf_damaged_and_signed", { reason: what });
  if (holds(bytes, "/Encrypt")) throw new Failure("pdf_unreadable", { reason: "damaged_and_encrypted" });
  if (cause === "update") throw new Failure("pdf_unreadable", { reason: what, repair: cause });
  if (policy === "refuse")
    throw new Failure("pdf_unreadable", { reason: what, repair: cause, setting: repairSetting });
};

/** The file after a repair, with all that its pages show. */
const openRepaired = ({ bytes, headerAt }: Sent, wanted: Wanted): Opened => {
  const { file, guessed } = readRebuilt(bytes.subarray(headerAt), wanted);
  const model = openModel(file, wanted.limits, wanted.password);
  const { lost, repairs } = wanted.requiresContents === true ? judgePages(model, guessed) : noFaults;
  const damaged = repairs.find(({ cause }) => cause === "object");
  if (damaged !== undefined) throw new DamagedPdf(damaged.what);
  if (lost !== undefined) throw new Failure("pdf_unreadable", lost);
  return { model, repaired: true };
};

const noFaults = { lost: undefined, repairs: [] } as const;

/**
 * Opens a PDF to append revisions. The bytes of `original` never change. A file that is readable only after a
 * repair is refused, or repaired where `repair` allows it. With `requiresContents`, either way, the file has
 * each page that its tree names and each object that a page shows. Each stream of them ends where it states,
 * and each deflated one inflates to its end, within the bytes of prove-stream.ts. Fails with pdf_unreadable,
 * pdf_too_large, pdf_needs_password or pdf_damaged_and_signed. An empty user password is tried where none is
 * given.
 */
export const openPdf = async (bytes: Uint8Array, options: OpenOptions = {}): Promise<PdfFile> => {
  const limits = { ...standardLimits, ...options.limits };
  if (bytes.length > limits.bytesMax)
    throw new Failure("pdf_too_large", { bytes: bytes.length, bytesMax: limits.bytesMax });
  try {
    const steps = options.steps ?? makeSteps(stepsFor(bytes.length, limits.stepsMax));
    const wanted: Wanted = { ...options, limits, steps };
    const sent = readHeader(bytes);
    const { opened, repairs, lost } = openStated(sent, wanted);
    const [first] = repairs;
    if (first !== undefined) refuseRepair(sent, first, options.repair ?? "refuse");
    else if (lost !== undefined) throw new Failure("pdf_unreadable", lost);
    const { model, repaired } =
      first === undefined && opened !== undefined ? opened : openRepaired(sent, wanted);
    return makePdfFile(model, { repaired, repairs, limits });
  } catch (error) {
    throw translateError(error, limits);
  }
};
