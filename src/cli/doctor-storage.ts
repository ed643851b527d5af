import { type Config, ConfigError } from "../config.ts";
import type { Inspection } from "../open-storage.ts";
import { type Listener, localAddress } from "./doctor-port.ts";
import { type Finding, finding, orRed } from "./finding.ts";
import { findDevelopmentMasterKey, refuseDevelopmentFiles } from "./first-start.ts";

export type StoreFindings = {
  readonly findings: readonly Finding[];
  /** Whether the service on the port works on this store; undefined where none is there, or the store cannot say. */
  readonly isOurs: boolean | undefined;
};

/** Master key, store, and the place of the blobs where it is not the disk. */
export const checkStorage = async (config: Config, listener: Listener): Promise<StoreFindings> => {
  const kind = config.databaseUrl === undefined ? "embedded" : "PostgreSQL";
  let inspection: Inspection | "absent" | undefined;
  let masterKey: Uint8Array | undefined;
  const key = await orRed("master key", "missing or wrong", async () => {
    if (config.mode === "production") {
      await refuseDevelopmentFiles(config.dataDirectory);
    }
    masterKey = config.masterKey ?? (await findDevelopmentMasterKey(config.dataDirectory));
    const found = masterKey === undefined ? "not there yet: the first start makes one" : "there";
    return finding("master key", found);
  });
  const store = await orRed("store", `${kind}, cannot be used`, async () => {
    const { inspectStore } = await import("../open-storage.ts");
    inspection = (await inspectStore(config, masterKey)) ?? "absent";
    return describeStore(kind, inspection);
  });
  const isOurs = listener.kind === "service" ? isServiceOf(inspection, listener.keyIds) : undefined;
  const blocked = await describeBlocked(config, inspection);
  const findings = [
    key,
    store,
    ...blocked,
    ...(await checkUse(config, isOurs)),
    ...(await checkBucket(config)),
  ];
  return { findings, isOurs };
};

/** Whether a service that publishes these keys works on the store; undefined where the store could not be read. */
const isServiceOf = (
  inspection: Inspection | "absent" | undefined,
  published: readonly string[],
): boolean | undefined =>
  inspection === "absent" ? false : inspection?.keyIds?.some((id) => published.includes(id));

const describeStore = (kind: string, inspection: Inspection | "absent"): Finding => {
  if (inspection === "absent") {
    return finding("store", `${kind}, not there yet: the first start makes it`);
  }
  if (inspection.isCurrent) {
    return finding("store", `${kind}, reads and takes writes`);
  }
  return kind === "embedded"
    ? finding("store", `${kind}, older than this program: the next start brings it up to date`)
    : finding("store", `${kind}, older than this program`, "Run idem migrate.");
};

/** Faces on block lists that match nobody any more; nothing where there are none. */
const describeBlocked = async (
  config: Config,
  inspection: Inspection | "absent" | undefined,
): Promise<readonly Finding[]> => {
  const { blocked = [] } = typeof inspection === "object" ? inspection : {};
  if (blocked.length === 0) {
    return [];
  }
  const { readOutdated } = await import("../open-block-list.ts");
  const outdated = blocked.filter(await readOutdated(config));
  const count = outdated.reduce((sum, { faces }) => sum + faces, 0);
  const advice =
    "Nobody is enrolled where they are. See idem people blocked; block each person again by a picture, then unblock the old face.";
  return count === 0 ? [] : [finding("block list", `${count} of another recogniser`, advice)];
};

/** Of a running service, whether it is ready; of the embedded store, whether a process has it that is not on the port. */
const checkUse = async (config: Config, isOurs: boolean | undefined): Promise<readonly Finding[]> => {
  if (isOurs === true) {
    const ready = await fetch(`${localAddress(config)}/readyz`, {
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    const advice = ready?.ok === true ? undefined : "See GET /readyz.";
    return [finding("service", advice === undefined ? "running and ready" : "running, not ready", advice)];
  }
  const { findStoreHolder } = await import("../open-storage.ts");
  const holder = config.databaseUrl === undefined ? await findStoreHolder(config) : undefined;
  return holder === undefined
    ? []
    : [
        finding(
          "service",
          `process ${holder} has the data directory open, and is not on port ${config.http.port}`,
          "Run this with the settings of that service, or stop it.",
        ),
      ];
};

const bucketMsMax = 20_000;

const checkBucket = async (config: Config): Promise<readonly Finding[]> => {
  const { s3 } = config;
  if (s3 === undefined) {
    return [];
  }
  const place = `${s3.bucket}${s3.prefix === undefined ? "" : `/${s3.prefix}`}`;
  const check = await orRed("S3", `${place}, cannot be used`, async () => {
    const { probeObjects } = await import("../open-storage.ts");
    const late = new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error("the server does not answer in time")), bucketMsMax).unref();
    });
    await Promise.race([probeObjects(config), late]).catch((error: unknown) => {
      throw new Error(`${causeOf(error)}. Check IDEM_S3_ENDPOINT, IDEM_S3_BUCKET and the keys' rights.`);
    });
    return finding("S3", `${place}, an object was written, read and removed`);
  });
  return [check];
};

const causeOf = (error: unknown): string => {
  if (error instanceof Error && error.cause !== undefined) {
    return causeOf(error.cause);
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return error instanceof Error ? error.message || code || error.name : String(error);
};

/** Problems of the settings, a line each; none when they are good. */
export const settingsFindings = (read: () => Config): Config | readonly Finding[] => {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems.map((problem) => finding("settings", "wrong", problem));
    }
    throw error;
  }
};
