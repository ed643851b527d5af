import { createWriteStream } from "node:fs";
import { link, rename, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { readEmbedded, readPostgres } from "#app/backup";
import type { ReadyConfig } from "#app/master-keys";
import { type Config, readConfig } from "#machine/config/config";
import { type Entry, type TakeLine, writeArchive } from "#machine/storage/backup/archive";
import { readPublicKey, recipientIdOf } from "#machine/storage/backup/backup-key";
import { sealStream } from "#machine/storage/backup/envelope";
import type { LineOf, ManifestLine } from "#machine/storage/backup/manifest";
import { type BackupSigner, makeBackupSigner } from "#machine/storage/backup/signature";
import { codeOf } from "#machine/storage/outage";
import { CommandError, parseOptions, type Run, say, UsageError } from "../command.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";
import { inBackupWords } from "../kit/in-backup-words.ts";
import { makeProgress, type Progress } from "../kit/progress.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";
import { isThere } from "../kit/store/directory.ts";
import { readText } from "../kit/text-file.ts";
import { flushDirectoryOf, withManifest } from "./manifest-file.ts";
import { type Made, makeDamageCount, reportBackup } from "./report-backup.ts";

export const runBackup: Run = async (args) => {
  const { values } = parseOptions(args, {
    out: { type: "string" },
    recipient: { type: "string" },
    manifest: { type: "string" },
    force: { type: "boolean", default: false },
    "despite-damage": { type: "boolean", default: false },
    unsigned: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const config = readConfig();
  const { out, recipient, manifest, "despite-damage": despiteDamage } = values;
  if (manifest !== undefined) await checkFiguresFile("--manifest", manifest);
  const made = await (config.databaseUrl === undefined
    ? backUpEmbedded(
        config,
        { out, recipient, manifest },
        { isForced: values.force, isUnsigned: values.unsigned, despiteDamage },
      )
    : writePostgresManifest(config, { out, manifest }, despiteDamage));
  reportBackup(made, values.json);
  return made.end.missing === 0 && !made.isDamaged && !made.lasting ? 0 : 1;
};

type Files = Readonly<Record<"out" | "recipient" | "manifest", string | undefined>>;

/** The former backup may be the only one: it is replaced on request alone. */
const existing = (file: string): CommandError =>
  new CommandError(`--out ${file} exists. Name another file, or replace it with --force.`);

type HowBackedUp = {
  readonly isForced: boolean;
  readonly isUnsigned: boolean;
  readonly despiteDamage: boolean;
};

const backUpEmbedded = async (config: Config, files: Files, how: HowBackedUp): Promise<Made> => {
  const { out, recipient } = await requireFiles(files, how.isForced);
  const pem = await readText(recipient, `The key ${recipient}`);
  // Without its master key a store is backed up too, unsigned: sealed rows are then not opened.
  const ready = await findMasterKey(config).catch(() => undefined);
  const signer = how.isUnsigned ? undefined : requireSigner(ready);
  return await inBackupWords(async () => {
    const key = readPublicKey(pem, recipient);
    const made = await writeEmbedded(
      ready ?? config,
      { out, manifest: files.manifest },
      { ...how, seal: (taken, entries) => sealStream(key, writeArchive(entries, taken, signer)) },
    );
    return { ...made, file: out, recipient: recipientIdOf(key), signer: signer?.key };
  });
};

const requireFiles = async ({ out, recipient }: Files, isForced: boolean) => {
  if (out === undefined) throw new UsageError("Name the file: --out FILE");
  if (recipient === undefined) {
    throw new UsageError(
      "Name the file of the public key: --recipient PUBLIC.pem. Make one: idem backup key",
    );
  }
  if (!isForced && (await isThere(out))) throw existing(out);
  await checkFiguresFile("--out", out);
  return { out, recipient };
};

type Writing = Pick<HowBackedUp, "isForced" | "despiteDamage"> & {
  readonly seal: (taken: TakeLine, entries: AsyncIterable<Entry>) => AsyncIterable<Uint8Array>;
};

/** Writes the file, and the manifest. The copy of the store beside it is removed, whatever happens. */
const writeEmbedded = async (
  config: Config,
  { out, manifest }: { readonly out: string; readonly manifest: string | undefined },
  { isForced, despiteDamage, seal }: Writing,
): Promise<Pick<Made, "end" | "isDamaged" | "lasting">> => {
  const copy = `${out}.${process.pid}.store`;
  const [copying, objects] = [makeProgress("Copy of the store"), makeProgress("Stored objects")];
  const checking = makeProgress("Check of the copy");
  const remarks: string[] = [];
  const damage = makeDamageCount();
  try {
    const entries = readEmbedded(config, {
      copy,
      onCopy: (share) => copying.show(share, 1),
      onCheck: endingAfterCopy(copying, checking.show),
      onRemark: (sentence) => remarks.push(sentence),
      onObjects: endingAfter(checking, objects.show),
      now: () => new Date(),
      despiteDamage,
    });
    const end = await withManifest(manifest, (takeLine) =>
      writeWhole(
        { file: out, isForced },
        (taken) => seal(taken, entries),
        async (line) => {
          damage.take(line);
          await takeLine(line);
        },
      ),
    );
    return { end, ...damage.found() };
  } finally {
    objects.end();
    remarks.forEach(say);
    for (const suffix of ["", "-wal", "-shm"]) await rm(`${copy}${suffix}`, { force: true });
  }
};

const requireSigner = (ready: ReadyConfig | undefined): BackupSigner => {
  if (ready !== undefined) return makeBackupSigner(ready.masterKey);
  throw new CommandError(
    "A backup is signed by a key that follows from the master key, and none is set. Set IDEM_MASTER_KEY as the service has it, or add --unsigned.",
  );
};

/** The line of the copy leaves the terminal before that of the check comes. */
const endingAfterCopy =
  (copying: Progress, show: Progress["show"]) =>
  (_: string, done: number, total: number): void => {
    copying.end();
    show(done, total);
  };

/** The line of the check leaves the terminal before that of the objects comes. */
const endingAfter =
  (copying: Progress, show: Progress["show"]): Progress["show"] =>
  (done, total) => {
    if (done === 1) copying.end();
    show(done, total);
  };

const writePostgresManifest = async (
  config: Config,
  { out, manifest }: Pick<Files, "out" | "manifest">,
  despiteDamage: boolean,
): Promise<Made> => {
  const { databaseUrl } = config;
  if (databaseUrl === undefined || out !== undefined || manifest === undefined) {
    throw new UsageError(
      "On PostgreSQL make the manifest (--manifest FILE), then dump the database (pg_dump) and copy the bucket: docs/guides/operate/backup.md",
    );
  }
  const progress = makeProgress("Stored objects");
  return await inBackupWords(async () => {
    try {
      const entries = readPostgres(
        { ...config, databaseUrl },
        { onObjects: progress.show, now: () => new Date(), despiteDamage },
      );
      const end = await withManifest(manifest, async (takeLine) => await drain(entries, takeLine));
      return { end, file: manifest, isDamaged: (end.damaged ?? 0) > 0 };
    } finally {
      progress.end();
    }
  });
};

/** Reads the entries for their hashes alone. */
const drain = async (entries: AsyncIterable<Entry>, takeLine: TakeLine): Promise<LineOf<"end">> => {
  const ending = keepEnd(takeLine);
  for await (const _ of writeArchive(entries, ending.take));
  return ending.end();
};

/** Writes a file that takes its name when it is complete and durable. */
const writeWhole = async (
  { file, isForced }: { readonly file: string; readonly isForced: boolean },
  write: (takeLine: TakeLine) => AsyncIterable<Uint8Array>,
  takeLine: TakeLine,
): Promise<LineOf<"end">> => {
  const ending = keepEnd(takeLine);
  const partial = `${file}.${process.pid}.part`;
  try {
    await pipeline(write(ending.take), createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true }));
    await (isForced ? rename(partial, file) : nameNew(partial, file));
    await flushDirectoryOf(file);
    return ending.end();
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};

/** File systems without links, such as FAT, answer one of these. */
const withoutLinks: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"];

/**
 * Gives a file its name, and replaces none that was made meanwhile. A file system without links has no such
 * step: the last look comes right before the renaming there.
 */
const nameNew = async (partial: string, file: string): Promise<void> => {
  try {
    await link(partial, file);
    await rm(partial);
  } catch (error) {
    const code = codeOf(error);
    if (code === "EEXIST") throw existing(file);
    if (!withoutLinks.includes(code)) throw error;
    if (await isThere(file)) throw existing(file);
    await rename(partial, file);
  }
};

/** Passes the lines on, and keeps the last one. */
const keepEnd = (takeLine: TakeLine) => {
  let last: ManifestLine | undefined;
  return {
    take: async (line: ManifestLine): Promise<void> => {
      last = line;
      await takeLine(line);
    },
    end: (): LineOf<"end"> => {
      if (last?.type !== "end") throw new Error("The backup has no end");
      return last;
    },
  };
};
