import type { Inspection, ReadyConfig } from "#app/storage";
import { type Config, ConfigError } from "#machine/config/config";
import { type Finding, finding, orRed } from "../kit/finding.ts";
import { type Listener, localAddress } from "../kit/service/listener.ts";
import { refuseDevelopmentFiles } from "../kit/store/deployment.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";
import { judgeDeliveries } from "./deliveries.ts";
import { judgeObjects } from "./stored-objects.ts";

export type StoreFindings = {
  readonly findings: readonly Finding[];
  /**
   * Whether the service on the port uses this store; undefined where no service answers or the store cannot
   * be read.
   */
  readonly isOurs: boolean | undefined;
};

/** Checks master key, store, and the place of the blobs where it is not the disk. */
export const checkStorage = async (config: Config, listener: Listener): Promise<StoreFindings> => {
  const kind = config.databaseUrl === undefined ? "embedded" : "PostgreSQL";
  let inspection: Inspection | "absent" | undefined;
  let ready: ReadyConfig | undefined;
  const key = await orRed("master key", "missing or wrong", async () => {
    if (config.mode === "production") {
      await refuseDevelopmentFiles(config.dataDirectory);
    }
    ready = await findMasterKey(config);
    return finding("master key", describeMasterKey(ready));
  });
  const store = await orRed("store", `${kind}, cannot be used`, async () => {
    const { inspectStore } = await import("#app/storage");
    inspection = (await inspectStore(ready ?? config)) ?? "absent";
    return describeStore(kind, inspection);
  });
  const isOurs = listener.kind === "service" ? isServiceOf(inspection, listener.keyIds) : undefined;
  const blocked = await describeBlocked(config, inspection);
  const findings = [
    key,
    store,
    ...blocked,
    ...(await checkRights(ready, inspection)),
    ...judgeDeliveries(dueSinceOf(inspection), new Date()),
    ...judgeObjects(
      typeof inspection === "object" ? inspection.objects : undefined,
      config.scrub.bytesPerSecond > 0,
      new Date(),
    ),
    ...(await checkUse(config, isOurs, listener)),
    ...(await checkBucket(config)),
  ];
  return { findings, isOurs };
};

const dueSinceOf = (inspection: Inspection | "absent" | undefined): Date | undefined =>
  typeof inspection === "object" ? inspection.deliverySince : undefined;

const describeMasterKey = (ready: ReadyConfig | undefined): string => {
  if (ready === undefined) {
    return "not there yet: the first start creates one";
  }
  return ready.masterKeyFile === undefined ? "there" : `there, in ${ready.masterKeyFile}`;
};

/** Whether the service with these published keys uses the store; undefined where the store cannot be read. */
const isServiceOf = (
  inspection: Inspection | "absent" | undefined,
  published: readonly string[],
): boolean | undefined =>
  inspection === "absent" ? false : inspection?.keyIds?.some((id) => published.includes(id));

const describeStore = (kind: string, inspection: Inspection | "absent"): Finding => {
  if (inspection === "absent") {
    return finding("store", `${kind}, not there yet: the first start creates it`);
  }
  if (inspection.isCurrent) {
    return finding("store", `${kind}, reads and writes`);
  }
  return kind === "embedded"
    ? finding("store", `${kind}, older than this program: the next start migrates it`)
    : finding("store", `${kind}, older than this program`, "Run idem migrate.");
};

/** Rows that give a right and were added or changed past the service; nothing where there are none. */
const checkRights = async (
  ready: ReadyConfig | undefined,
  inspection: Inspection | "absent" | undefined,
): Promise<readonly Finding[]> => {
  if (ready === undefined || typeof inspection !== "object" || !inspection.isCurrent) return [];
  const found = await orRed("rights", "cannot be compared", async () => {
    const { openStoreToRead } = await import("#app/storage");
    const { listRightsFaults } = await import("#app/rights-watch");
    const opened = await openStoreToRead(ready);
    if (opened === undefined) return finding("rights", "none yet");
    try {
      const places: string[] = [];
      for await (const { place } of listRightsFaults(opened.store, ready)) places.push(place);
      const [first = ""] = places;
      return places.length === 0
        ? finding("rights", "every row that gives a right is as the service wrote it")
        : finding(
            "rights",
            `${places.length} rows were added, changed or removed past the service, such as ${first}`,
            "Find out who wrote to the store. All of them: idem rights verify",
          );
    } finally {
      await opened.close();
    }
  });
  return [found];
};

/** Block list faces that cannot match any more; nothing where there are none. */
const describeBlocked = async (
  config: Config,
  inspection: Inspection | "absent" | undefined,
): Promise<readonly Finding[]> => {
  const { blocked = [] } = typeof inspection === "object" ? inspection : {};
  if (blocked.length === 0) {
    return [];
  }
  const { readOutdated } = await import("#app/block-list");
  const outdated = blocked.filter(await readOutdated(config));
  const count = outdated.reduce((sum, { faces }) => sum + faces, 0);
  const advice =
    "No user is enrolled in their environment. See idem users blocked; block each person again by an image, then unblock the old face.";
  return count === 0 ? [] : [finding("block list", `${count} of another recogniser`, advice)];
};

/**
 * Whether a running service is ready; for the embedded store, whether a process holds it that is not on the
 * port.
 */
const checkUse = async (
  config: Config,
  isOurs: boolean | undefined,
  listener: Listener,
): Promise<readonly Finding[]> => {
  if (isOurs === true) {
    const ready = await fetch(`${localAddress(config)}/readyz`, {
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined);
    const advice = ready?.ok === true ? undefined : "See GET /readyz.";
    return [finding("service", advice === undefined ? "running and ready" : "running, not ready", advice)];
  }
  const { findStoreHolder } = await import("#app/storage");
  const holder = config.databaseUrl === undefined ? await findStoreHolder(config) : undefined;
  return holder === undefined ? [] : [describeHolder(holder, config.http.port, listener, isOurs)];
};

/**
 * A process that has the data directory open. Where Idem answers on the port, and the store does not show
 * whether it is this deployment, the process may serve the port.
 */
export const describeHolder = (
  holder: string,
  port: number,
  { kind }: Pick<Listener, "kind">,
  isOurs: boolean | undefined,
): Finding =>
  kind === "service" && isOurs === undefined
    ? finding(
        "service",
        `process ${holder} has the data directory open; the store does not show whether it serves port ${port}`,
        "Follow the line of the store, then run this again.",
      )
    : finding(
        "service",
        `process ${holder} has the data directory open, but not port ${port}`,
        "Run this with the settings of that service, or stop it.",
      );

const bucketMsMax = 20_000;

const checkBucket = async (config: Config): Promise<readonly Finding[]> => {
  const { s3 } = config;
  if (s3 === undefined) {
    return [];
  }
  const place = `${s3.bucket}${s3.prefix === undefined ? "" : `/${s3.prefix}`}`;
  const check = await orRed("S3", `${place}, cannot be used`, async () => {
    const { probeObjects } = await import("#app/storage");
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

/** Problems of the settings, one finding each; the settings when they are valid. */
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
