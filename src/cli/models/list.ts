import { isUsable, type Models } from "#app/models";
import type { Manifest } from "#machine/models/manifest";
import type { Damage } from "#machine/models/model-store";
import { type LedgerEntry, ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { parseOptions, print, printTable, say } from "../command.ts";

type Held = "in use" | "shadow" | "installed";

type State = "bundled" | Held | `${Held}, file ${Damage}` | "known" | "known, no slot yet";

type Row = {
  readonly name: string;
  readonly version: string;
  readonly slot: string;
  readonly state: State;
  readonly bytes: number | null;
  readonly licence: string;
  readonly sha256: string;
  /** Addresses of the file, for operators who must bring it themselves. */
  readonly urls: readonly string[];
};

/** Runs `idem models list`. */
export const listModels = async (models: Models, args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, { json: { type: "boolean", default: false } });
  const rows = [...(await bundled()), ...(await added(models))];
  if (values.json) {
    print(JSON.stringify(rows, null, 2));
    return 0;
  }
  const cells = rows.map(({ name, version, slot, state, bytes, licence, sha256 }) => [
    name,
    version,
    slot,
    state,
    bytes === null ? "?" : (bytes / 1e3).toFixed(0),
    licenceName(licence),
    sha256.slice(0, 12),
  ]);
  printTable([["name", "version", "slot", "state", "kB", "licence", "sha256"], ...cells]);
  return 0;
};

/** The licence's name alone; its notes appear in the JSON and when a model is added. */
const licenceName = (licence: string): string => licence.split(/[;:,(]| by /, 1)[0]?.trim() ?? licence;

const bundled = async (): Promise<readonly Row[]> =>
  await Promise.all(
    Object.entries(ledger).map(async ([name, entry]) => ({
      name,
      version: entry.npm === undefined ? "-" : entry.npm.version,
      slot: entry.slot,
      state: "bundled" as const,
      bytes: await bytesOf(entry),
      licence: entry.licence,
      sha256: entry.files.at(-1)?.sha256 ?? "",
      urls: [],
    })),
  );

/** Null where a file of it was changed; the start and `idem doctor` report that. */
const bytesOf = async (entry: LedgerEntry): Promise<number | null> =>
  await readModelFiles(entry).then(
    (files) => files.reduce((sum, { length }) => sum + length, 0),
    () => null,
  );

const rowOf = ({ name, version, slot, bytes, licence, sha256, urls = [] }: Manifest, state: State): Row => ({
  name,
  version,
  slot,
  state,
  bytes: bytes ?? null,
  licence: licence.weights,
  sha256,
  urls,
});

const stateOfKnown = (manifest: Manifest): State => (isUsable(manifest) ? "known" : "known, no slot yet");

/** Installed models first, then the other models of the catalogue. */
const added = async ({ modelStore, catalogue }: Models): Promise<readonly Row[]> => {
  const installed = await modelStore.list();
  const rows: Row[] = [];
  for (const one of installed) {
    const { manifest } = one;
    const { active, shadow } = await modelStore.choiceOf(manifest.slot);
    const isActive = active.includes(manifest.sha256);
    const isShadow = shadow.includes(manifest.sha256);
    const held: Held = isActive ? "in use" : isShadow ? "shadow" : "installed";
    const damage = await modelStore.damageOf(one);
    rows.push(rowOf(manifest, damage === undefined ? held : `${held}, file ${damage}`));
  }
  const known = catalogue.filter(({ sha256 }) =>
    installed.every(({ manifest }) => manifest.sha256 !== sha256),
  );
  return [...rows, ...known.map((manifest) => rowOf(manifest, stateOfKnown(manifest)))];
};

/** Runs `idem models verify`: returns 1 where a model was changed. */
export const verifyModels = async (
  { modelStore, examine }: Models,
  args: readonly string[],
): Promise<number> => {
  parseOptions(args, {});
  const installed = await modelStore.list();
  let wrong = 0;
  for (const one of installed) {
    const { manifest } = one;
    const check = modelStore.read(one).then(() => examine(modelStore.fileOf(manifest.sha256), manifest));
    const problem = await check.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    if (problem !== undefined) wrong++;
    print(`${problem === undefined ? "ok  " : "RED "} ${manifest.name} ${manifest.sha256.slice(0, 12)}`);
    if (problem !== undefined) print(`     -> ${problem}`);
  }
  say(`${installed.length} installed, ${wrong} wrong.`);
  return wrong === 0 ? 0 : 1;
};
