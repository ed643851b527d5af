import { Failure } from "#contract/failure";
import { seededRandom } from "#contract/statistics/random";
import { type OpenOptions, openPdf } from "#features/signing/pdf/open-pdf";
import { signWith } from "./append.ts";
import { makeEncryptedPdf, makePdf } from "./make-pdf.ts";
import { mutatePdf } from "./mutate-pdf.ts";

/** What happened to mutated files. */
export type Survival = {
  readonly signed: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Every error that is no Failure, with the number of its file. */
  readonly errors: readonly string[];
  readonly slowestMs: number;
};

const makeSeeds = async (): Promise<readonly Uint8Array[]> => {
  const signed = await openPdf(makePdf({ xref: "table" }));
  signWith(signed);
  return [
    makePdf({ xref: "table", pages: 3 }),
    makePdf({ xref: "stream" }),
    makePdf({ xref: "object-streams", pages: 2 }),
    makePdf({ xref: "hybrid" }),
    Buffer.concat([signed.original, ...signed.revisions()]),
    await makeEncryptedPdf("AES-256"),
    await makeEncryptedPdf("RC4-128"),
  ];
};

/**
 * Opens mutated files, by repair too, and appends a signature to each that opens. The same files for the same
 * seed.
 */
export const survive = async (
  count: number,
  seed: number,
  options: OpenOptions = { repair: "allow" },
): Promise<Survival> => {
  const random = seededRandom(seed);
  const seeds = await makeSeeds();
  const refused: Record<string, number> = {};
  const errors: string[] = [];
  let signed = 0;
  let slowestMs = 0;
  for (let number = 0; number < count; number++) {
    const bytes = mutatePdf(seeds[number % seeds.length]!, random);
    const from = performance.now();
    try {
      signWith(await openPdf(bytes, options));
      signed++;
    } catch (error) {
      if (error instanceof Failure) refused[error.code] = (refused[error.code] ?? 0) + 1;
      else
        errors.push(`${number}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - from);
  }
  return { signed, refused, errors, slowestMs };
};
