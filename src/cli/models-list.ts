import { ledger } from "#inference/ledger";
import type { Manifest } from "#models/manifest";
import type { Damage } from "#models/shelf";
import { isUsable, type Models } from "../open-models.ts";
import { parseOptions, print, printTable, say } from "./command.ts";

type Held = "in use" | "looks on" | "installed";

type State = "bundled" | Held | `${Held}, file ${Damage}` | "known" | "known, no slot yet";

type Row = {
  readonly name: string;
  readonly version: string;
  readonly slot: string;
  readonly state: State;
  readonly bytes: number | null;
  readonly licence: string;
  readonly sha256: string;
};

/** `idem models list`. */
export const listModels = async (models: Models, args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, { json: { type: "boolean", default: false } });
  const rows = [...bundled(), ...(await added(models))];
  if (values.json) {
    print(JSON.stringify(rows, null, 2));
    return 0;
  }
  const cells = rows.map(({ name, version, slot, state, bytes, licence, sha256 }) => [
    name,
    version,
    slot,
    state,
    bytes === null ? "?" : (bytes / 1e6).toFixed(1),
    licence.length > 40 ? `${licence.slice(0, 39)}…` : licence,
    sha256.slice(0, 12),
  ]);
  printTable([["name", "version", "slot", "state", "MB", "licence", "sha256"], ...cells]);
  return 0;
};

const bundled = (): readonly Row[] =>
  Object.entries(ledger).map(([name, { slot, licence, files, npm }]) => ({
    name,
    version: npm === undefined ? "-" : npm.version,
    slot,
    state: "bundled",
    bytes: null,
    licence,
    sha256: files.at(-1)?.sha256 ?? "",
  }));

const rowOf = ({ name, version, slot, bytes, licence, sha256 }: Manifest, state: State): Row => ({
  name,
  version,
  slot,
  state,
  bytes: bytes ?? null,
  licence: licence.weights,
  sha256,
});

const stateOfKnown = (manifest: Manifest): State => (isUsable(manifest) ? "known" : "known, no slot yet");

/** Installed models first, then what the catalogue knows beyond them. */
const added = async ({ shelf, catalogue }: Models): Promise<readonly Row[]> => {
  const installed = await shelf.list();
  const rows: Row[] = [];
  for (const one of installed) {
    const { manifest } = one;
    const { active, shadow } = await shelf.choiceOf(manifest.slot);
    const isActive = active.includes(manifest.sha256);
    const isShadow = shadow.includes(manifest.sha256);
    const held: Held = isActive ? "in use" : isShadow ? "looks on" : "installed";
    const damage = await shelf.damageOf(one);
    rows.push(rowOf(manifest, damage === undefined ? held : `${held}, file ${damage}`));
  }
  const known = catalogue.filter(({ sha256 }) =>
    installed.every(({ manifest }) => manifest.sha256 !== sha256),
  );
  return [...rows, ...known.map((manifest) => rowOf(manifest, stateOfKnown(manifest)))];
};

/** `idem models verify`: 1 where a model is not what it was. */
export const verifyModels = async ({ shelf, examine }: Models, args: readonly string[]): Promise<number> => {
  parseOptions(args, {});
  const installed = await shelf.list();
  let wrong = 0;
  for (const one of installed) {
    const { manifest } = one;
    const check = shelf.read(one).then(() => examine(shelf.fileOf(manifest.sha256), manifest));
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
