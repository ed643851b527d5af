import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { settle, writeDurably } from "./durable-file.ts";
import { clearLeftovers } from "./leftovers.ts";
import { type Manifest, manifestSchema, type Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";

const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

const calibrationSchema = Type.Object({
  /** As templates name it: another preparation of the face is another recogniser. */
  recogniser: Type.String({ pattern: "^[0-9a-f]{80}$" }),
  at: Type.String(),
  /** Pairs of strangers that were compared: of the whole list, and within each group. */
  pairs: Type.Object({ all: Type.Integer(), within: Type.Record(Type.String(), Type.Integer()) }),
  /** Where the cosine reaches each false-match rate, in the group in which it is highest. */
  points: Type.Array(Type.Object({ falseMatchRate: Type.Number(), cosine: Type.Number() }), { maxItems: 16 }),
});

/** What an operator measured of a recogniser's cosines. */
export type Calibration = Static<typeof calibrationSchema>;

const recordSchema = Type.Object({
  manifest: manifestSchema,
  addedAt: Type.String(),
  /** Address without its query, or name of the file that was brought. */
  source: Type.Object({ kind: Type.Enum(["url", "file"]), from: Type.String() }),
  /** What was shown and accepted, word for word. */
  accepted: Type.Object({ licence: Type.String(), caution: Type.String(), at: Type.String() }),
  /** Of a recogniser that was measured. */
  calibration: Type.Optional(calibrationSchema),
});
const recordShape = Compile(recordSchema);

/** A model that lies in the data directory, and how it came there. */
export type Installed = Static<typeof recordSchema>;

/** Why a recogniser's scores mean nothing yet, in words; undefined where they do, and for models of other slots. */
export type FindUncalibrated = (installed: Installed) => string | undefined;

const choiceSchema = Type.Object({ active: Type.Array(sha256), shadow: Type.Array(sha256) });
const selectionSchema = Type.Object({
  selection: Type.Literal(1),
  slots: Type.Record(Type.String(), choiceSchema),
});
const selectionShape = Compile(selectionSchema);

/** What is wrong with the file of an installed model. */
export type Damage = "missing" | "changed";

/** Files of one slot: those that decide, and those that only look on. Both empty: the bundled network. */
export type Choice = Static<typeof choiceSchema>;

export type Shelf = {
  /** Installed models, oldest first. Throws ModelRefused for a record that is damaged. */
  readonly list: () => Promise<readonly Installed[]>;
  readonly fileOf: (sha256: string) => string;
  /** Where a file grows until it is whole; it may be there from an earlier attempt. */
  readonly partOf: (sha256: string) => Promise<string>;
  /** Removes what commands that were killed left behind; not what one that runs is writing, nor a cut download of a model that is not there. */
  readonly clearLeftovers: (now: Date) => Promise<void>;
  /** The bytes of an installed model. Throws ModelRefused where they are not those that were installed. */
  readonly read: (installed: Installed) => Promise<Uint8Array>;
  /** Undefined where the file is there and is the one that was installed. */
  readonly damageOf: (installed: Installed) => Promise<Damage | undefined>;
  /** Takes a checked file, which must lie on the same disk, in; it is there whole, or not at all. */
  readonly place: (from: string, installed: Installed) => Promise<void>;
  /** Keeps what was measured of an installed recogniser, in place of what was known. */
  readonly calibrate: (installed: Installed, calibration: Calibration) => Promise<void>;
  readonly remove: (sha256: string) => Promise<void>;
  readonly choiceOf: (slot: Slot) => Promise<Choice>;
  readonly choose: (slot: Slot, choice: Choice) => Promise<void>;
};

const nothing: Choice = { active: [], shadow: [] };
const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

const readIfThere = async (file: string): Promise<string | undefined> =>
  await readFile(file, "utf8").catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

const parseIfJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The models of a deployment: `<sha256>.onnx` with its record `<sha256>.json`, and `selection.json`, in one folder. A file
 * without a record is a leftover of an attempt that was cut short, and is not there for anybody.
 */
export const openShelf = (folder: string): Shelf => {
  const fileOf = (hash: string): string => join(folder, `${hash}.onnx`);
  const recordOf = (hash: string): string => join(folder, `${hash}.json`);
  const selectionFile = join(folder, "selection.json");
  const writeRecord = async (installed: Installed): Promise<void> =>
    await writeDurably(recordOf(installed.manifest.sha256), `${JSON.stringify(installed, null, 2)}\n`);
  const make = () => mkdir(folder, { recursive: true, mode: 0o700 });
  const slotsNow = async (): Promise<Readonly<Record<string, Choice>>> => {
    const text = await readIfThere(selectionFile);
    if (text === undefined) return {};
    const selection = parseIfJson(text);
    if (selectionShape.Check(selection)) return selection.slots;
    throw new ModelRefused(
      `${selectionFile} is damaged: remove it, and say again which models to use (idem models use)`,
    );
  };
  return {
    list: async () => await listRecords(folder),
    fileOf,
    partOf: async (hash) => {
      await mkdir(join(folder, "partial"), { recursive: true, mode: 0o700 });
      return join(folder, "partial", `${hash}.part`);
    },
    clearLeftovers: async (now) => {
      await make();
      await clearLeftovers(folder, now);
    },
    read: async ({ manifest }) => await readChecked(fileOf(manifest.sha256), manifest),
    damageOf: async ({ manifest }) => damageOf(await hashIfThere(fileOf(manifest.sha256)), manifest),
    place: async (from, installed) => {
      await make();
      await chmod(from, 0o600);
      await settle(from, fileOf(installed.manifest.sha256));
      await writeRecord(installed);
    },
    calibrate: async (installed, calibration) => await writeRecord({ ...installed, calibration }),
    remove: async (hash) => {
      await rm(recordOf(hash), { force: true });
      await rm(fileOf(hash), { force: true });
    },
    choiceOf: async (slot) => (await slotsNow())[slot] ?? nothing,
    choose: async (slot, choice) => {
      await make();
      const slots = { ...(await slotsNow()), [slot]: choice };
      await writeDurably(selectionFile, `${JSON.stringify({ selection: 1, slots }, null, 2)}\n`);
    },
  };
};

const listRecords = async (folder: string): Promise<readonly Installed[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const records = names.filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  const found = await Promise.all(records.map((name) => readRecord(join(folder, name))));
  return found.toSorted((a, b) => a.addedAt.localeCompare(b.addedAt));
};

const readRecord = async (file: string): Promise<Installed> => {
  const record = parseIfJson((await readIfThere(file)) ?? "");
  if (recordShape.Check(record) && file.endsWith(`${record.manifest.sha256}.json`)) return record;
  throw new ModelRefused(
    `The record ${file} is damaged: remove it with its .onnx file and add the model again`,
  );
};

const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

const hashIfThere = async (file: string): Promise<string | undefined> =>
  await readFile(file).then(hashOf, (error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

const damageOf = (found: string | undefined, { sha256: hash }: Manifest): Damage | undefined => {
  if (found === undefined) return "missing";
  return found === hash ? undefined : "changed";
};

const readChecked = async (file: string, { name, sha256: hash }: Manifest): Promise<Uint8Array> => {
  // The record stays, so that a slot may hold the model meanwhile: the same file repairs it.
  const cure = "Put it back: idem models add --file PATH";
  const bytes = await readFile(file).catch((error: unknown) => {
    if (isMissing(error))
      throw new ModelRefused(`The file of the model ${name} is missing: ${file}. ${cure}`);
    throw error;
  });
  const found = hashOf(bytes);
  if (found === hash) return bytes;
  throw new ModelRefused(`The file of the model ${name} was changed: ${file} has SHA-256 ${found}. ${cure}`);
};
