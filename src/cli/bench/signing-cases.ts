import type { Level } from "#features/signing/pades/level";

/** Kinds of key that the measurement signs with. */
export type BenchKey = "p256" | "rsa3072";

/** One process of the measurement. `thread` measures memory and event loop, `times` everything else. */
export type SigningCase = {
  readonly kind: "times" | "thread";
  readonly name: string;
  readonly bytes: number;
  readonly key: BenchKey;
  readonly level: Level;
  readonly runs: number;
};

/** A case with the file that it signs. */
export type SigningOrder = SigningCase & { readonly path: string };

export type TimeFigures = {
  readonly ownMs: readonly number[];
  readonly addedBytes: number;
  /** Milliseconds of each step of ours, by its name. */
  readonly steps: Readonly<Record<string, readonly number[]>>;
};

export type ThreadFigures = {
  /** Resident memory before the first document is read. */
  readonly idleMiB: number;
  /**
   * Peak memory while the first document was signed. Memory of earlier documents would be freed only later.
   */
  readonly peakMiB: number;
  readonly eventLoopP999Ms: number;
};

export type SigningFigures = TimeFigures | ThreadFigures;

const small = 50_000;

/** The rows of the table. `runs` is for the small ones; large files take fewer. */
export const listCases = (runs: number): readonly SigningCase[] => {
  const few = Math.max(3, Math.ceil(runs / 10));
  const times = { kind: "times" } as const;
  return [
    { ...times, name: "50 KB B-B", bytes: small, key: "p256", level: "B-B", runs },
    { ...times, name: "50 KB B-B", bytes: small, key: "rsa3072", level: "B-B", runs },
    { ...times, name: "50 KB B-LTA", bytes: small, key: "p256", level: "B-LTA", runs },
    { ...times, name: "50 KB B-LTA", bytes: small, key: "rsa3072", level: "B-LTA", runs },
    { ...times, name: "5 MB B-LTA", bytes: 5_000_000, key: "p256", level: "B-LTA", runs: few },
    { ...times, name: "50 MB B-LTA", bytes: 50_000_000, key: "p256", level: "B-LTA", runs: few },
    { kind: "thread", name: "50 MB B-LTA", bytes: 50_000_000, key: "p256", level: "B-LTA", runs: 3 },
  ];
};
