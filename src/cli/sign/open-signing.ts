import { readFile, stat } from "node:fs/promises";
import { openSigningSources, type SigningSourceParts, type SigningSources } from "#app/signing";
import { findStoreHolder, openStorageToRead, type ReadyConfig } from "#app/storage";
import { Failure } from "#contract/failure";
import { type Config, readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { CommandError, opening, say } from "../command.ts";
import { describePdfReason } from "../kit/pdf-reason.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { openCommandStore } from "../kit/store/reach-store.ts";
import { writeOutFile } from "../kit/write-out-file.ts";

const clock = (): Date => new Date();

const note = (message: string): void => say(message);

type OpenedKeys = Pick<SigningSourceParts, "store"> & { readonly close: () => Promise<void> };

/**
 * The store with the keys that sign. Where a service owns the data directory it is read alone, beside the
 * service.
 */
const openKeys = async (config: ReadyConfig): Promise<OpenedKeys> => {
  const holder = config.databaseUrl === undefined ? await findStoreHolder(config) : undefined;
  return (
    (holder === undefined ? undefined : await openStorageToRead(config)) ?? (await openCommandStore(config))
  );
};

/** Opens the signer of the deployment for one piece of work, without a service or beside it. */
export const withSigning = async <Result>(
  settings: Config,
  work: (sources: SigningSources) => Promise<Result>,
): Promise<Result> => {
  const config = await findDeployment(settings);
  const { store, close } = await opening(openKeys(config));
  try {
    const sources = await opening(
      openSigningSources({ config, egress: makeEgress(config.egress), store, clock, note }),
    );
    if (sources === undefined) {
      throw new CommandError("No key signs: IDEM_SIGNER is none (docs/guides/integrate/signing.md).");
    }
    return await work(sources);
  } finally {
    await close();
  }
};

/** The bytes of a PDF. Throws CommandError for a file that cannot be read, or is larger than the limit. */
const readPdf = async (file: string, bytesMax: number): Promise<Uint8Array> => {
  const read = async (): Promise<Uint8Array> => {
    const { size } = await stat(file);
    if (size > bytesMax) {
      throw new CommandError(`${file} has ${size} bytes, more than ${bytesMax} (IDEM_SIGNING_MB_MAX).`);
    }
    return new Uint8Array(await readFile(file));
  };
  return await read().catch((error: NodeJS.ErrnoException) => {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${file} cannot be read (${error.code ?? error.message}).`);
  });
};

/** The file that a command reads, and the one that it writes. */
type Files = { readonly file: string; readonly out: string };

/**
 * Applies `work` to a PDF and writes the parts that it returns to `out`. Returns their bytes. `repairs`:
 * whether the command repairs a file where the operator allows that.
 */
export const changePdf = async (
  { file, out }: Files,
  { repairs }: { readonly repairs: boolean },
  work: (bytes: Uint8Array, sources: SigningSources) => Promise<readonly Uint8Array[]>,
): Promise<number> => {
  const config = readConfig();
  const { bytesMax, repair } = config.signing;
  const bytes = await readPdf(file, bytesMax);
  return await withSigning(config, async (sources) => {
    const parts = await work(bytes, sources).catch((error: unknown) => {
      throw error instanceof Failure ? refusalOf(error, repairs && repair === "refuse") : error;
    });
    await writeOutFile(out, parts);
    return parts.reduce((sum, part) => sum + part.length, 0);
  });
};

/** What a failure says of its cause: its reason with the place, or what an unproven file is unproven for. */
const detailOf = ({ code, facts, cause }: Failure): string => {
  const { field, page, reason } = facts;
  const where = [field, page === undefined ? undefined : `page ${String(page)}`].filter(
    (one) => typeof one === "string",
  );
  const named = where.length === 0 ? "" : ` (${where.join(", ")})`;
  const what = code === "signature_unproven" && cause instanceof Error ? cause.message : reason;
  return typeof what === "string" ? `${named}: ${describePdfReason(what)}` : "";
};

/** A declared failure in the words of the command line. `canRepair`: the setting that it names may help. */
const refusalOf = (failure: Failure, canRepair: boolean): CommandError => {
  const { setting } = failure.facts;
  const way =
    canRepair && typeof setting === "string" ? ` ${setting} may repair it where nothing is lost.` : "";
  const message = `${failure.message}${detailOf(failure)} (${failure.code}, api/errors.md).${way}`;
  return new CommandError(message, { cause: failure });
};
