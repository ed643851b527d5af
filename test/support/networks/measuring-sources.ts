import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { codeOf } from "../../../scripts/comments/code-of.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * Folders whose modules draw or measure, or compute for those. Imports of other modules are not followed:
 * judges, stores and the service change no measurement.
 */
const measuring =
  /\/(?:document\/(?:reading|values|decision\/(?:generic|models|viz))|support\/document|contract|face|imaging|networks|personas|persons|specimen)\//;

/** What no import names: the networks, and the packages with their images, decoders and runtime. */
const always = ["models", "package-lock.json"] as const;

/** Imports of values, and files that a module names by their URL. */
const named =
  /^(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)"|\bimport\(\s*"([^"]+)"|\bnew URL\(\s*"([^"]+)",\s*import\.meta\.url/gm;

const { imports }: { imports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
);

/** The names that package.json gives to folders, the longest first: `#support/` before `#`. */
const folders = Object.entries(imports)
  .map(([name, folder]) => [name.replace("*", ""), folder] as const)
  .toSorted(([a], [b]) => b.length - a.length);

/** The path of an imported module; undefined for one of a package. */
const resolved = (name: string, from: string): string | undefined => {
  if (name.startsWith(".")) return relative(root, resolve(root, dirname(from), name));
  const [prefix, folder] = folders.find(([start]) => name.startsWith(start)) ?? [];
  return folder && prefix !== undefined ? join(folder.replace("*", name.slice(prefix.length))) : undefined;
};

/**
 * Modules of those folders that judge a face, refuse, describe a call, record, or run what follows from a
 * reading. The policy of the turn challenge is none of them: its engine measures with it.
 */
const others =
  /\/(?:contract\/(?:failure|[^/]*\.routes)|face\/(?:policy|(?:challenge|liveness|matching)\/judge-[^/]*)|support\/.*\/(?:open-record|recorded-[^/]*|reviewing|validations))\.ts$/;

const isMeasuring = (path: string): boolean => measuring.test(path) && !others.test(path);

/**
 * The bytes of a file that count. A module counts without its comments, since no measurement follows from a
 * comment.
 */
export const countedOf = (path: string, bytes: Buffer): Buffer =>
  path.endsWith(".ts") ? Buffer.from(codeOf(path, bytes.toString())) : bytes;

const counted = new Map<string, Buffer>();

const readCounted = (path: string): Buffer => {
  const bytes = counted.get(path) ?? countedOf(path, readFileSync(join(root, path)));
  if (path.endsWith(".ts")) counted.set(path, bytes);
  return bytes;
};

const followed = new Map<string, readonly string[]>();

/** The files that a module imports or names, as paths from the root of the repository. */
const followOf = (path: string): readonly string[] => {
  const known = followed.get(path);
  if (known !== undefined) return known;
  const found = [...readCounted(path).toString().matchAll(named)]
    .map((names) => resolved(names.slice(1).find((name) => name !== undefined) ?? "", path))
    .filter((to) => to !== undefined)
    .filter((to) => isMeasuring(to) && existsSync(join(root, to)));
  followed.set(path, found);
  return found;
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));

/** A record follows from the measurements. It begins with its own sources (`writeRecording`). */
export const isRecord = (path: string): boolean =>
  path.endsWith(".generated.json") && readFileSync(join(root, path), "utf8").startsWith('{\n"sources":');

const isData = (path: string): boolean => !/\.(?:ts|md)$/.test(path) && !isRecord(path);

/**
 * Of modules: the files that they draw and measure with, and the data files beside those. Paths from the root
 * of the repository.
 */
export const sourcesOf = (modules: readonly string[]): ReadonlySet<string> => {
  const sources = new Set(modules);
  for (const path of sources) {
    if (statSync(join(root, path)).isDirectory()) {
      sources.delete(path);
      for (const file of filesIn(path)) sources.add(file);
    } else if (path.endsWith(".ts")) {
      for (const to of followOf(path)) sources.add(to);
    }
  }
  for (const folder of new Set([...sources].filter(isMeasuring).map(dirname))) {
    for (const file of filesIn(folder).filter(isData)) sources.add(file);
  }
  return sources;
};

const hashes = new Map<string, Buffer>();

const hashOf = (path: string): Buffer => {
  const hash = hashes.get(path) ?? createHash("sha256").update(readCounted(path)).digest();
  hashes.set(path, hash);
  return hash;
};

/**
 * SHA-256 in hex over all files from which the measurements of these modules follow: what they import of our
 * drawings, readers and engines, the networks, and the versions of all packages. Comments of modules do not
 * count, so a record stays valid when one is reworded. `modules`: URLs of the files.
 */
export const hashOfSources = (modules: readonly string[]): string => {
  const own = sourcesOf(modules.map((url) => relative(root, fileURLToPath(url))));
  const paths = [...own, ...always.flatMap((path) => (path.includes(".") ? [path] : filesIn(path)))];
  const hash = createHash("sha256");
  for (const path of paths.toSorted()) {
    hash.update(`${path}\n`);
    hash.update(hashOf(path));
  }
  return hash.digest("hex");
};
