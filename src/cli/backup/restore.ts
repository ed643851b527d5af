import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupReport, checkTarget, directoryTarget, finishRestore, readBackup } from "#app/restore";
import { checkCopiedRights } from "#app/store-check/copied-rights";
import type { PartReport } from "#app/store-check/store-check";
import { type Config, readConfig } from "#machine/config/config";
import { readSecretKey } from "#machine/storage/backup/backup-key";
import { openStream } from "#machine/storage/backup/envelope";
import { type BackupTrust, makeBackupSigner } from "#machine/storage/backup/signature";
import { beginRestore, endRestore, openDataDirectory } from "#machine/storage/data-directory";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { CommandError, opening, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { inBackupWords } from "../kit/in-backup-words.ts";
import { makeProgress } from "../kit/progress.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";
import { readText } from "../kit/text-file.ts";
import { checkManifest } from "./check-manifest.ts";

export const runRestore: Run = async (args) => {
  const { values, positionals } = parseOptions(
    args,
    {
      key: { type: "string" },
      check: { type: "boolean", default: false },
      to: { type: "string" },
      signer: { type: "string" },
      unsigned: { type: "boolean", default: false },
      manifest: { type: "string" },
      "despite-damage": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
    true,
  );
  const [file, ...others] = positionals;
  if (values.manifest !== undefined) {
    if (!values.check || file !== undefined || values.to !== undefined) {
      throw new UsageError("A manifest is checked alone: idem restore --manifest FILE --check");
    }
    return await checkManifest(readConfig(), values.manifest, values.json);
  }
  if (file === undefined || others.length > 0) throw new UsageError("Name one file: idem restore FILE …");
  if (values.key === undefined) throw new UsageError("Name the file of the secret key: --key SECRET.pem");
  if (values.check === (values.to !== undefined)) throw new UsageError("Name one of --check and --to DIR");
  const set = readConfig();
  // The directory of the settings may be any, also one whose own key is lost.
  const config = (await findMasterKey(set).catch(() => undefined)) ?? set;
  const trust = {
    signers: [...signersOf(values.signer), ...ownSigners(config)],
    takesUnsigned: values.unsigned,
  };
  const found = await readFile(file, values.key, {
    to: values.to,
    trust,
    despiteDamage: values["despite-damage"],
    config,
  });
  report(found, values.json, values.to);
  const isDamaged = found.damage.length > 0 || (found.damaged ?? 0) > 0;
  const isForged = (found.rights?.faultCount ?? 0) > 0;
  return Math.max(judgeMasterKey(readConfig(), found), isDamaged || isForged ? 1 : 0);
};

/** The keys of --signer. Throws UsageError. */
const signersOf = (text: string | undefined): readonly string[] => {
  if (text === undefined) return [];
  const keys = text.split(",").map((key) => key.trim().toLowerCase());
  const wrong = keys.find((key) => !/^[0-9a-f]{64}$/.test(key));
  if (wrong === undefined) return keys;
  throw new UsageError(
    `--signer "${wrong}" is no public key: it has 64 hexadecimal digits. See idem backup signer`,
  );
};

const ownSigners = ({ masterKey, masterKeyPrevious }: Config): readonly string[] =>
  [masterKey, masterKeyPrevious].flatMap((key) => (key === undefined ? [] : [makeBackupSigner(key).key]));

type Reading = {
  readonly to: string | undefined;
  readonly trust: BackupTrust;
  readonly despiteDamage: boolean;
  /** With the master keys that open the seals of rights. */
  readonly config: Config;
};

/** What was read; of a check also the rights of its store. */
type Found = BackupReport & { readonly rights?: PartReport };

const readFile = async (file: string, keyFile: string, way: Reading): Promise<Found> => {
  const { to, trust, despiteDamage, config } = way;
  const pem = await readText(keyFile, `The key ${keyFile}`);
  const { size } = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${file} cannot be read (${error.code}).`, { cause: error });
  });
  const progress = makeProgress(to === undefined ? "Check" : "Restore");
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    progress.show(done, size);
  };
  return await inBackupWords(async () => {
    try {
      const plain = openStream(
        readSecretKey(pem, keyFile),
        createReadStream(file, { highWaterMark: 1024 * 1024 }),
      );
      return await (to === undefined
        ? checkOnly(plain, { despiteDamage, config }, { trust, onBytes })
        : restoreTo({ to, despiteDamage }, plain, { trust, onBytes }));
    } finally {
      progress.end();
    }
  });
};

type HowRead = Parameters<typeof readBackup>[2];

const checkOnly = async (
  plain: AsyncIterable<Uint8Array>,
  { despiteDamage, config }: Pick<Reading, "despiteDamage" | "config">,
  how: HowRead,
): Promise<Found> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-check-"));
  const store = join(folder, "store");
  try {
    const found = await readBackup(plain, { ...checkTarget(store), despiteDamage }, how);
    return { ...found, rights: await checkCopiedRights(config, store) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const restoreTo = async (
  { to, despiteDamage }: { readonly to: string; readonly despiteDamage: boolean },
  plain: AsyncIterable<Uint8Array>,
  how: HowRead,
): Promise<BackupReport> => {
  const names = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CommandError(`${to} is no directory that can be read (${error.code}).`, { cause: error });
  });
  if (names.length > 0) {
    throw new CommandError(`${to} is not empty (${names.slice(0, 3).join(", ")}). Name an empty directory.`);
  }
  const directory = await opening(openDataDirectory(to));
  try {
    await beginRestore(directory.path);
    const found = await readBackup(plain, { ...directoryTarget(directory.path), despiteDamage }, how);
    await finishRestore(directory.path);
    await endRestore(directory.path);
    return found;
  } catch (error) {
    // It was empty, and this process has locked it: all in it is of this restore.
    for (const name of await readdir(directory.path)) {
      await rm(join(directory.path, name), { recursive: true, force: true });
    }
    throw error;
  } finally {
    directory.release();
  }
};

const report = (found: Found, isJson: boolean, to: string | undefined): void => {
  const { files, bytes, removed, missing, damaged = 0, damage, sha256, release, at, signer = null } = found;
  if (signer === null) {
    say(
      "WARNING: the backup has no signature. It does not prove who made it: compare the SHA-256, the keys (idem keys list)",
    );
    say("and the destinations (idem webhooks list) with what you know before you start a service on it.");
  }
  if (isJson) {
    const forged = found.rights?.faults.map(({ place, fault }) => ({ place, fault }));
    const counts = { files, bytes, removed, missing, damaged, damage, ...(forged && { forged }) };
    print(JSON.stringify({ ...counts, sha256, release, at: new Date(at).toISOString(), signer }));
    return;
  }
  const lasting = damage.filter((line) => line.lasting === true);
  const others = damage.filter((line) => line.lasting === undefined);
  const isWhole = others.length === 0 && damaged === 0;
  say(
    `Backup of ${new Date(at).toISOString()} by release ${release}: ${files} ${files === 1 ? "file" : "files"} with ${bytes} bytes, ${isWhole ? "all right" : "as it was written"}.`,
  );
  if (!isWhole) say(`It was made of a damaged store, and lacks ${damaged} damaged objects:`);
  for (const { place, fault } of others) say(`  ${place}: ${fault}`);
  if (lasting.length > 0) say("Its evidence had faults that nothing repairs when it was made:");
  for (const { place, fault } of lasting) say(`  ${place}: ${fault}`);
  if (signer !== null) say(`Signed by the key ${signer}.`);
  if (found.rights !== undefined) reportRights(found.rights);
  if (removed > 0) say(`${removed} objects were removed while it was made.`);
  if (missing > 0) say(`${missing} objects were lost before it was made.`);
  if (to !== undefined) {
    say(
      `Restored to ${to}. Verify the chains: IDEM_DATA=${to} idem evidence verify. Then start with IDEM_DATA=${to}.`,
    );
  }
  print(sha256);
};

const reportRights = ({ faults, faultCount, remarks }: PartReport): void => {
  if (faultCount > 0)
    say(`Rows that give a right were added, changed or removed past the service: ${faultCount}`);
  for (const { place, fault } of faults) say(`  ${place}: ${fault}`);
  remarks.forEach(say);
};

/** 1 where the settings have master keys, and none of them opens the store. */
const judgeMasterKey = ({ masterKey, masterKeyPrevious }: Config, { masterKeys }: BackupReport): number => {
  const own = [masterKey, masterKeyPrevious].flatMap((key) =>
    key === undefined ? [] : [masterKeyOf(key).id],
  );
  const { text, opens } = judgeMasterKeys(own, masterKeys);
  if (text !== undefined) say(text);
  return opens === false ? 1 : 0;
};

/**
 * Whether the master keys of the settings open a store under the keys `needed`, both by id; `opens` is absent
 * where there is nothing to compare.
 */
export const judgeMasterKeys = (
  own: readonly string[],
  needed: readonly string[],
): { readonly text?: string; readonly opens?: boolean } => {
  const lacking = needed.filter((id) => !own.includes(id));
  if (needed.length === 0) {
    return own.length === 0 ? {} : { text: "Its store has no data under a master key: none was compared." };
  }
  if (lacking.length === 0) {
    return { text: `The master key of the settings opens its store (${needed.join(", ")}).`, opens: true };
  }
  if (own.length === 0) {
    return {
      text: `It needs the master key ${lacking.join(", ")}. Set IDEM_MASTER_KEY to see whether yours is it.`,
    };
  }
  return {
    text: `Its data is under the master key ${lacking.join(", ")}, and the settings have ${own.join(", ")}: without the right key nothing can be opened.`,
    opens: false,
  };
};
