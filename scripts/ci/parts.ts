import { createHash } from "node:crypto";

/**
 * A part of `.ci/run` that need not run where its inputs are as they were when it last passed. Patterns of
 * paths, as globs.
 */
export type Part = {
  /** Files whose bytes count. */
  readonly files: readonly string[];
  /** Source files of which the packages that they load count alone. */
  readonly imports?: readonly string[];
};

export type InputFile = { readonly path: string; readonly bytes: Uint8Array };

/** Files as they stand now, of the given patterns. */
export type ReadFiles = (patterns: readonly string[]) => readonly InputFile[];

/**
 * `import … from "sharp"`, `import("sharp")`, `resolve("sharp/…")`; modules of ours begin with a point or #.
 */
const packageLoaded = /(?:\bfrom|\bimport|\brequire|\bresolve)\s*\(?\s*["']([^."'#][^"']*)["']/g;

const packagesIn = ({ bytes }: InputFile): readonly string[] =>
  [...Buffer.from(bytes).toString().matchAll(packageLoaded)].map(([, name = ""]) => name);

/** SHA-256 in hexadecimal of a part's inputs: paths and bytes, in the order of the paths. */
export const hashInputs = ({ files, imports = [] }: Part, readFiles: ReadFiles): string => {
  const hash = createHash("sha256");
  for (const { path, bytes } of readFiles(files).toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    hash.update(`${JSON.stringify(path)} ${createHash("sha256").update(bytes).digest("hex")}\n`);
  }
  const packages = imports.length === 0 ? [] : readFiles(imports).flatMap(packagesIn);
  for (const name of [...new Set(packages)].toSorted()) hash.update(`package ${JSON.stringify(name)}\n`);
  return hash.digest("hex");
};

export type Choice = { readonly part: string; readonly runs: boolean; readonly reason: string };

/**
 * Which parts run. Part n of the table also runs on weekday n (0 is Sunday), so that a record of a part that
 * never passed is found within a week.
 */
export const chooseParts = (
  hashes: Readonly<Record<string, string>>,
  proved: Readonly<Record<string, string>>,
  weekday: number,
): readonly Choice[] =>
  Object.entries(hashes).map(([part, hash], place) => {
    if (proved[part] !== hash) return { part, runs: true, reason: "its inputs changed since it passed" };
    if (place % 7 === weekday)
      return { part, runs: true, reason: "unchanged since it passed; it is its weekday" };
    return { part, runs: false, reason: "unchanged since it passed" };
  });
