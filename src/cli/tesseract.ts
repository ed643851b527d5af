import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { CommandError } from "./command.ts";

const require = createRequire(import.meta.url);

/** The reader that documents are compared with, in a process of its own. */
export type Tesseract = {
  /** Lines of the whole picture, top to bottom, without the empty ones. */
  readonly readLines: (bytes: Uint8Array) => Promise<readonly string[]>;
  readonly version: string;
  readonly close: () => Promise<void>;
};

/** The English data lie in a development dependency: nothing is fetched, neither then nor now. */
const findData = (): { readonly folder: string; readonly version: string } => {
  try {
    const { version }: { version: unknown } = require("tesseract.js/package.json");
    const folder = join(dirname(require.resolve("@tesseract.js-data/eng/package.json")), "4.0.0_best_int");
    return { folder, version: String(version) };
  } catch (cause) {
    throw new CommandError("tesseract.js is a development dependency, which is not installed: npm ci", {
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

/** Lines that a zone may be made of: its characters alone, fillers among them, nearly as long as the shortest format. */
export const zoneLinesOf = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) => line.replaceAll(/\s/g, ""))
    .filter((line) => line.length >= 24 && line.includes("<") && /^[A-Z0-9<]+$/i.test(line));

/** Most words that a printed value was seen to have. */
const phraseWordsMax = 6;

/** Every run of words within a line: this reader joins values that stand side by side, so a value need not be a line of its own. */
export const phrasesOf = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => {
    const words = line.split(/\s+/);
    return words.flatMap((_, from) =>
      Array.from({ length: Math.min(phraseWordsMax, words.length - from) }, (__, more) =>
        words.slice(from, from + more + 1).join(" "),
      ),
    );
  });
