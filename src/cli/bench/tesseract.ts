import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CommandError } from "../command.ts";

const require = createRequire(import.meta.url);

/** The reader to compare with, in its own process. */
export type Tesseract = {
  /** Non-empty lines of the whole image, top to bottom. */
  readonly readLines: (bytes: Uint8Array) => Promise<readonly string[]>;
  readonly version: string;
  readonly close: () => Promise<void>;
};

/** The English data come with a development dependency: no download at any time. */
const findData = (): { readonly folder: string; readonly version: string } => {
  try {
    const { version }: { version: unknown } = require("tesseract.js/package.json");
    const folder = join(dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
    return { folder, version: String(version) };
  } catch (cause) {
    throw new CommandError("tesseract.js, a development dependency, is not installed. Run npm ci.", {
      cause,
    });
  }
};

/** Starts tesseract.js with its own defaults and English. Throws CommandError when it is not installed. */
export const openTesseract = async (): Promise<Tesseract> => {
  const { folder, version } = findData();
  const { createWorker } = await import("tesseract.js");
  const worker = await createWorker("eng", 1, { langPath: folder, cacheMethod: "none", gzip: true });
  return {
    version,
    readLines: async (bytes) => {
      const { data } = await worker.recognize(Buffer.from(bytes));
      return data.text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    },
    close: async () => void (await worker.terminate()),
  };
};

/**
 * Lines that can belong to an MRZ: only its characters, with fillers, and nearly as long as the shortest
 * format.
 */
export const mrzLinesOf = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => line.replaceAll(/\s/g, ""))
    .filter((line) => line.length >= 24 && line.includes("<") && /^[A-Z0-9<]+$/i.test(line));

/** Most words of a printed value in the lists seen so far. */
const phraseWordsMax = 6;

/**
 * Every run of words within a line: this reader joins values that stand side by side, so a value may be part
 * of a line.
 */
export const phrasesOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const words = line.split(/\s+/);
    return words.flatMap((_, from) =>
      Array.from({ length: Math.min(phraseWordsMax, words.length - from) }, (__, more) =>
        words.slice(from, from + more + 1).join(" "),
      ),
    );
  });
