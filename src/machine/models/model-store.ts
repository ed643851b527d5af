import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { settle, writeDurably } from "./durable-file.ts";
import { type Manifest, manifestSchema, type Slot } from "./manifest.ts";
import { ModelRefused } from "./refusal.ts";
import { clearStaleFiles } from "./stale-files.ts";

const sha256 = Type.String({ pattern: "^[0-9a-f]{64}$" });

const calibrationSchema = Type.Object({
  /** As named in templates: another preparation of the face makes another recogniser. */
  recogniser: Type.String({ pattern: "^[0-9a-f]{80}$" }),
  at: Type.String(),
  /** Impostor pairs compared: in the whole list, and within each group. */
  pairs: Type.Object({ all: Type.Integer(), within: Type.Record(Type.String(), Type.Integer()) }),
  /** The cosine of each false-match rate, in the group with the highest rate. */
  points: Type.Array(Type.Object({ falseMatchRate: Type.Number(), cosine: Type.Number() }), { maxItems: 16 }),
});

/** An operator's measurement of a recogniser's cosines. */
export type Calibration = Static<typeof calibrationSchema>;

const recordSchema = Type.Object({
  manifest: manifestSchema,
  addedAt: Type.String(),
  /** Address without its query, or name of the imported file. */
  source: Type.Object({ kind: Type.Enum(["url", "file"]), from: Type.String() }),
  /** The terms as shown and accepted, verbatim. */
  accepted: Type.Object({ licence: Type.String(), caution: Type.String(), at: Type.String() }),
  /** The calibration of a recogniser that has one. */
  calibration: Type.Optional(calibrationSchema),
});
const recordShape = makeCheck(recordSchema);

/** A model in the data directory, and its origin. */
export type Installed = Static<typeof recordSchema>;

/**
 * The reason why a recogniser's scores cannot be used yet, in words; undefined for calibrated recognisers and
 * for models of other slots.
 */
export type FindUncalibrated = (installed: Installed) => string | undefined;

const choiceSchema = Type.Object({ active: Type.Array(sha256), shadow: Type.Array(sha256) });
const selectionSchema = Type.Object({
  selection: Type.Literal(1),
  slots: Type.Record(Type.String(), choiceSchema),
});
const selectionShape = makeCheck(selectionSchema);

/** The damage of an installed model's file. */
export type Damage = "missing" | "changed";

/** Files of one slot: deciding models and shadow models. Both empty: the bundled network. */
export type Choice = Static<typeof choiceSchema>;

export type ModelStore = {
  /** Installed models, oldest first. Throws ModelRefused for a damaged record. */
  readonly list: () => Promise<readonly Installed[]>;
  readonly fileOf: (sha256: string) => string;
  /** The path of a download in progress; an earlier attempt may have left it. */
  readonly partOf: (sha256: string) => Promise<string>;
  /**
   * Removes files of killed commands; keeps files in use, and incomplete downloads of models that are not
   * installed.
   */
  readonly clearStaleFiles: (now: Date) => Promise<void>;
  /** The bytes of an installed model. Throws ModelRefused where they differ from the installed file. */
  readonly read: (installed: Installed) => Promise<Uint8Array>;
  /** Undefined where the file exists and is unchanged. */
  readonly damageOf: (installed: Installed) => Promise<Damage | undefined>;
  /** Installs a checked file from the same disk, completely or not at all. */
  readonly place: (from: string, installed: Installed) => Promise<void>;
  /** Stores the calibration of an installed recogniser, in place of an earlier one. */
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
 * The models of a deployment: `<sha256>.onnx` with its record `<sha256>.json`, and `selection.json`, in one
 * folder. A file without a record comes from an interrupted attempt and counts as absent.
 */
export const openModelStore = (folder: string): ModelStore => {
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
      `${selectionFile} is damaged: remove it, and select the models again (idem models use)`,
    );
  };
  return {
    list: async () => await listRecords(folder),
    fileOf,
    partOf: async (hash) => {
      await mkdir(join(folder, "partial"), { recursive: true, mode: 0o700 });
      return join(folder, "partial", `${hash}.part`);
    },
    clearStaleFiles: async (now) => {
      await make();
      await clearStaleFiles(folder, now);
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
  // The record stays, so that the model can keep its slot: the same file repairs it.
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
