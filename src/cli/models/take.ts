import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { isDeepStrictEqual } from "node:util";
import { findCatalogued, findGap, findUnserved, isNotFetched, isUsable, type Models } from "#app/models";
import type { Manifest } from "#machine/models/manifest";
import type { Installed } from "#machine/models/model-store";
import { CommandError, parseOptions, say, UsageError } from "../command.ts";

/** Runs `idem models fetch`. */
export const fetchModels = async (models: Models, args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseOptions(
    args,
    { url: { type: "string" }, accept: { type: "boolean", default: false } },
    true,
  );
  const [word, ...others] = positionals;
  if (word === undefined || others.length > 0) {
    throw new UsageError("Name the model: idem models fetch NAME. List them: idem models list");
  }
  const wanted = findCatalogued(models.catalogue, word);
  if (values.url !== undefined && wanted.length > 1) {
    throw new UsageError(
      `${word} is ${wanted.map(({ name }) => name).join(" and ")}. With --url, fetch them one by one.`,
    );
  }
  const { missing, replaced } = await compareInstalled(models, wanted);
  if (missing.length === 0) return 0;
  const asks = missing.some(({ policy }) => policy === "ask");
  await requireAcceptance(missing, values.accept, !asks);
  for (const manifest of missing) {
    const urls = values.url === undefined ? (manifest.urls ?? []) : [values.url];
    const deps = { egress: models.egress, progress: makeProgress(manifest) };
    const fetched = models.fetch(manifest, urls, deps).catch(adviseOtherWay(models.proxy, manifest));
    printTaken(await fetched, replaced);
  }
  return await adviseUse(models, word, wanted);
};

/** Alternatives for a host that cannot reach the addresses. */
const adviseOtherWay =
  (proxy: string | undefined, { name, urls = [], sha256 }: Manifest) =>
  (error: unknown): never => {
    if (!isNotFetched(error)) throw error;
    const lines = [
      error.message,
      proxy === undefined
        ? "Behind a proxy: set IDEM_EGRESS_PROXY."
        : `The calls go through the proxy ${proxy} (IDEM_EGRESS_PROXY): it refused, or cannot reach the address or be reached.`,
      `From a mirror with the same file: idem models fetch ${name} --url URL`,
      "Without internet: copy the file to this host, and install it: idem models add --file PATH",
      ...urls.map((url) => `  ${url}`),
      `  SHA-256 ${sha256}`,
    ];
    throw new CommandError(lines.join("\n"), { cause: error });
  };

/** Runs `idem models add`. */
export const addModel = async (models: Models, args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, {
    file: { type: "string" },
    manifest: { type: "string" },
    accept: { type: "boolean", default: false },
  });
  const { file } = values;
  if (file === undefined) throw new UsageError("Name the file: idem models add --file PATH");
  const document = values.manifest === undefined ? undefined : await readDocument(values.manifest);
  const { manifest, isKnown } = await models.identify(file, document).catch(explainFile(file));
  if (isKnown && values.manifest !== undefined) {
    say(
      `The catalogue knows this file by its SHA-256, as ${manifest.name}: its own manifest holds, and nothing of ${values.manifest}.`,
    );
  }
  const { missing, replaced, present } = await compareInstalled(models, [manifest]);
  if (missing.length === 0) return printUnserved(models, present);
  await requireAcceptance([manifest], values.accept, isKnown && manifest.policy !== "ask");
  printTaken(await models.add(file, manifest), replaced);
  return await adviseUse(models, manifest.group ?? manifest.name, [manifest]);
};

const isFileError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "code" in error && typeof error.code === "string";

const explainFile =
  (file: string) =>
  (error: unknown): never => {
    throw isFileError(error)
      ? new CommandError(`${file} cannot be read (${error.code})`, { cause: error })
      : error;
  };

const documentBytesMax = 1_000_000;

const readDocument = async (file: string): Promise<unknown> => {
  const text = await readFile(file, "utf8").catch(explainFile(file));
  if (text.length > documentBytesMax) throw new CommandError(`${file} is too long for a manifest`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandError(`${file} is not JSON`, { cause });
  }
};

/**
 * The models of `wanted` to install, the hashes whose file replaces a damaged file, and the manifests of the
 * installed models.
 */
const compareInstalled = async ({ modelStore }: Models, wanted: readonly Manifest[]) => {
  const missing: Manifest[] = [];
  const present: Manifest[] = [];
  const replaced = new Set<string>();
  const installed = await modelStore.list();
  for (const manifest of wanted) {
    const { name, sha256 } = manifest;
    const found = installed.find((one) => one.manifest.sha256 === sha256);
    const damage = found && (await modelStore.damageOf(found));
    if (found === undefined || damage !== undefined) missing.push(manifest);
    else {
      present.push(found.manifest);
      say(`${name} (${sha256.slice(0, 12)}) is installed already.`);
      if (!isDeepStrictEqual(found.manifest, manifest)) {
        say(
          `Its manifest is another one. To take this one, first: idem models remove ${found.manifest.name}`,
        );
      }
    }
    if (damage === undefined) continue;
    replaced.add(sha256);
    say(`${name} (${sha256.slice(0, 12)}) is installed, but its file is ${damage}.`);
  }
  return { missing, replaced, present };
};

const lengthOf = (bytes: number | undefined): string =>
  bytes === undefined ? "unknown" : `${bytes.toLocaleString("en")} bytes`;

const showTerms = (manifest: Manifest): void => {
  const { licence } = manifest;
  say(`${manifest.name} ${manifest.version}, a model for the slot ${manifest.slot}`);
  say(`  SHA-256        ${manifest.sha256}`);
  say(`  length         ${lengthOf(manifest.bytes)}`);
  say(`  licence        ${licence.weights}`);
  if (licence.where !== undefined) say(`  written in     ${licence.where}`);
  say(`  trained on     ${manifest.training}`);
  say(`  caution        ${manifest.caution}`);
  if (manifest.published !== undefined) say(`  published      ${manifest.published}`);
  say();
};

/** Shows the terms and requires their acceptance. Throws CommandError without it. */
const requireAcceptance = async (
  manifests: readonly Manifest[],
  isAccepted: boolean,
  mayAsk: boolean,
): Promise<void> => {
  manifests.forEach(showTerms);
  if (isAccepted || (mayAsk && (await askForYes()))) return;
  throw new CommandError("Nothing was installed. To accept licence and caution, add --accept");
};

const askForYes = async (): Promise<boolean> => {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question("Do you accept licence and caution? (yes) ")).trim() === "yes";
  } finally {
    terminal.close();
  }
};

/** One line for every tenth of a file, or for every 8 MB of a file of unknown length. */
const makeProgress = ({ name, bytes: known }: Manifest) => {
  const step = known === undefined ? 8_000_000 : known / 10;
  let next = step;
  return (bytes: number, total: number | undefined): void => {
    if (bytes < next) return;
    next = (Math.floor(bytes / step) + 1) * step;
    say(`${name}: ${lengthOf(bytes)}${total === undefined ? "" : ` of ${lengthOf(total)}`}`);
  };
};

const printTaken = ({ manifest, source }: Installed, replaced: ReadonlySet<string>): void => {
  const done = replaced.has(manifest.sha256) ? "repaired" : "installed";
  say(`${manifest.name} (${manifest.sha256.slice(0, 12)}) is ${done}, from ${source.from}.`);
};

const isHeld = async ({ modelStore }: Models, { slot, sha256 }: Manifest): Promise<boolean> => {
  const { active, shadow } = await modelStore.choiceOf(slot);
  return active.includes(sha256) || shadow.includes(sha256);
};

/**
 * Reports the models that this release cannot use. Returns 1 for a model with the operator's manifest, which
 * may need a correction. A model of the catalogue waits for a release with its slot, and was installed for
 * that.
 */
const printUnserved = ({ catalogue }: Models, manifests: readonly Manifest[]): number => {
  let code = 0;
  for (const manifest of manifests) {
    const { name, sha256 } = manifest;
    const reason = findUnserved(manifest);
    if (reason === undefined) continue;
    say(`This release cannot use ${name}: ${reason}. It stays installed, and does nothing.`);
    if (catalogue.some((one) => one.sha256 === sha256)) continue;
    code = 1;
    say(`If its manifest is wrong: idem models remove ${name}, and add it with another.`);
  }
  return code;
};

const adviseUse = async (models: Models, word: string, manifests: readonly Manifest[]): Promise<number> => {
  if (!manifests.every(isUsable)) return printUnserved(models, manifests);
  const held = await Promise.all(manifests.map((one) => isHeld(models, one)));
  if (held.every(Boolean)) say("Its slot holds it: it works from the next start on.");
  else if (manifests.some(({ slot }) => slot === "face-recogniser")) {
    say("It is not in use yet. Measure the false-match rates of its cosines first:");
    say(`  idem models measure ${word} --identities CSV --groups CSV --calibrate`);
  } else {
    const installed = (await models.modelStore.list()).map(({ manifest }) => manifest);
    const gap = findGap(models.catalogue, word, installed);
    say(
      `It is not in use yet. To use it: idem models use ${word}${gap === undefined ? "" : ` (now ${gap})`}`,
    );
  }
  return 0;
};
