/** The seam of `idem store verify`: an ordered list of checks, each of which names what it finds. */
import { Failure } from "#contract/failure";
import { codeOf, isOutage, messageOf } from "#machine/storage/outage";

/** A fault of the store. No field holds personal data: places are tables, ids and file names. */
export type StoreFault = {
  /** The check that found it, such as `blobs`. */
  readonly part: string;
  /** Id of the tenant that it belongs to; absent where no tenant is known. */
  readonly tenant?: string;
  readonly place: string;
  /** What is wrong, in a sentence without its subject. */
  readonly fault: string;
  /** What can be done, with the command; also where nothing can. */
  readonly repair: string;
  /** No command and no earlier backup repairs it. Later backups are made all the same, and state it. */
  readonly isLasting?: true;
};

/** What a check tells while it runs. */
export type CheckSink = {
  readonly fault: (fault: Omit<StoreFault, "part">) => void;
  /** A finding that is no damage, such as an object that waits for the tidying, or what limits the check. */
  readonly remark: (sentence: string) => void;
  /** One more row, object or entry was checked. */
  readonly checked: (count?: number) => void;
  readonly progress: (done: number, total: number) => void;
};

/** One part of the store. A new part is a new entry in the list of {@link listChecks}. */
export type StoreCheck = {
  readonly part: string;
  readonly run: (sink: CheckSink) => Promise<void>;
};

/** The result of one check. */
export type PartReport = {
  readonly part: string;
  readonly checked: number;
  /** The number of faults. At most {@link namedMax} of them are in `faults`. */
  readonly faultCount: number;
  readonly faults: readonly StoreFault[];
  readonly remarks: readonly string[];
};

/** Faults and remarks of one part that are named: a store that lost everything must not fill the memory. */
export const namedMax = 1000;

/** Reports the share of a part that is done. */
export type OnPart = (part: string, done: number, total: number) => void;

/** Runs the checks one after the other. Throws where the storage does not answer: that is no damage. */
export const runChecks = async (
  checks: readonly StoreCheck[],
  onPart: OnPart,
): Promise<readonly PartReport[]> => {
  const reports: PartReport[] = [];
  for (const { part, run } of checks) {
    const { sink, report } = makeSink(part, onPart);
    await run(sink).catch((error: unknown) => {
      if (isUnreachable(error)) throw error;
      sink.fault({
        place: "the whole part",
        fault: `cannot be read: ${reasonOf(error)}. What follows it was not checked`,
        repair: "Follow the faults of the database first.",
      });
    });
    reports.push(report());
  }
  return reports;
};

const makeSink = (part: string, onPart: OnPart) => {
  const faults: StoreFault[] = [];
  const remarks: string[] = [];
  let [checked, faultCount, remarkCount] = [0, 0, 0];
  const sink: CheckSink = {
    fault: (fault) => {
      faultCount += 1;
      if (faults.length < namedMax) faults.push({ part, ...fault });
    },
    remark: (sentence) => {
      remarkCount += 1;
      if (remarks.length < namedMax) remarks.push(sentence);
    },
    checked: (count = 1) => {
      checked += count;
    },
    progress: (done, total) => onPart(part, done, total),
  };
  const report = (): PartReport => ({
    part,
    checked,
    faultCount,
    faults,
    remarks:
      remarkCount > remarks.length ? [...remarks, `${remarkCount - remarks.length} more remarks`] : remarks,
  });
  return { sink, report };
};

/** SQLite has these for a damaged file: they are findings here. */
const damageCodes = /^SQLITE_(CORRUPT|NOTADB|IOERR|SCHEMA|ERROR)/;

/** Whether disk, server or bucket did not answer, so that nothing is known of the store. */
const isUnreachable = (error: unknown): boolean => {
  const origin = error instanceof Failure && error.cause !== undefined ? error.cause : error;
  return isOutage(origin) && !damageCodes.test(codeOf(origin));
};

/** The words of the innermost error. */
export const reasonOf = (error: unknown): string =>
  error instanceof Failure && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
