import { stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { cohortEntry, ledger } from "#inference/ledger";
import { readModelFiles } from "#inference/model-files";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { type Command, parseOptions, print } from "./command.ts";
import { prepareDirectory } from "./first-start.ts";

/** One line of the list. `advice` says what to do; its absence means that all is well. */
type Finding = { readonly subject: string; readonly found: string; readonly advice?: string };

export const doctor: Command = {
  summary: "check this machine and the settings",
  help: `Usage: idem doctor

Checks Node, settings, data directory, store, free disk, models, port and clock. Prints a line for each: what was found,
and what to do where something is wrong. Ends with 1 when a line is red. Changes nothing but that the data directory
is made when it is absent.`,
  run: async (args) => {
    parseOptions(args, {});
    const findings = [
      checkNode(process.versions.node),
      ...(await checkSettings()),
      await checkModels(),
      checkClock(new Date()),
    ];
    findings.forEach(show);
    return findings.some(({ advice }) => advice !== undefined) ? 1 : 0;
  },
};

const show = ({ subject, found, advice }: Finding): void => {
  print(`${advice === undefined ? "ok  " : "RED "} ${subject.padEnd(15)} ${found}`);
  if (advice !== undefined) {
    print(`     ${" ".repeat(15)} -> ${advice}`);
  }
};

/** Node reads TypeScript by itself from 22.18 on. */
const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > 22 || (major === 22 && minor >= 18);
  return finding(
    "Node",
    version,
    isEnough ? undefined : "Install Node 22.18 or later; npm run idem brings its own 24.",
  );
};

const finding = (subject: string, found: string, advice: string | undefined): Finding =>
  advice === undefined ? { subject, found } : { subject, found, advice };

const checkSettings = async (): Promise<readonly Finding[]> => {
  let config: Config;
  try {
    config = await prepareDirectory(readConfig());
  } catch (error) {
    const problems =
      error instanceof ConfigError
        ? error.problems
        : [error instanceof Error ? error.message : String(error)];
    return problems.map((problem) => finding("settings", "wrong", problem));
  }
  const running = await findRunning(config);
  return [
    finding("settings", `${config.mode}, every value is good`, undefined),
    await checkDirectory(config.dataDirectory),
    await checkDisk(config.dataDirectory),
    await checkStore(config, running),
    await checkPort(config, running),
  ];
};

/** The data directory holds keys and pictures: nobody but its owner may look in. */
const checkDirectory = async (directory: string): Promise<Finding> => {
  const { mode, uid } = await stat(directory);
  const rights = (mode & 0o777).toString(8);
  const isOurs = uid === process.getuid?.();
  const advice = !isOurs
    ? `chown -R ${process.getuid?.()} '${directory}'`
    : (mode & 0o077) !== 0
      ? `chmod 700 '${directory}'`
      : undefined;
  return finding("data directory", `${directory}, rights ${rights}`, advice);
};

/** A day of 10,000 validations of 2 MB each takes 20 GB; under 2 GB a busy service has hours. */
const gigabytesMin = 2;

const checkDisk = async (directory: string): Promise<Finding> => {
  const { bavail, bsize } = await statfs(directory);
  const gigabytes = (bavail * bsize) / 1e9;
  return finding(
    "free disk",
    `${gigabytes.toFixed(1)} GB`,
    gigabytes < gigabytesMin ? `Free at least ${gigabytesMin} GB.` : undefined,
  );
};

type Running = "this service" | "another program" | "nothing";

/** Who listens on the configured port. */
const findRunning = async (config: Config): Promise<Running> => {
  const address = `http://${config.http.host}:${config.http.port}/healthz`;
  const answer = await fetch(address, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
  if (answer !== undefined) {
    return answer.ok ? "this service" : "another program";
  }
  return (await canListen(config)) ? "nothing" : "another program";
};

const canListen = ({ http }: Config): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(http.port, http.host, () => probe.close(() => resolve(true)));
  });

const checkPort = async ({ http }: Config, running: Running): Promise<Finding> =>
  running === "another program"
    ? finding(
        "port",
        `${http.port} is taken by another program`,
        "Stop it, or set IDEM_PORT to another port.",
      )
    : finding("port", `${http.port} ${running === "nothing" ? "is free" : "is served by Idem"}`, undefined);

/** A running service owns the embedded store, so it is asked instead of the file. */
const checkStore = async (config: Config, running: Running): Promise<Finding> => {
  const kind = config.databaseUrl === undefined ? "embedded" : "PostgreSQL";
  if (running === "this service") {
    const ready = await fetch(`http://${config.http.host}:${config.http.port}/readyz`).catch(() => undefined);
    return finding(
      "store",
      `${kind}, in use by the running service`,
      ready?.ok === true ? undefined : "The service is not ready: see GET /readyz.",
    );
  }
  try {
    const { openStore } = await import("../open-storage.ts");
    const { store, close } = await openStore(await prepareDirectory(config));
    await store.ping();
    await close();
    return finding("store", `${kind}, answers`, undefined);
  } catch (error) {
    return finding(
      "store",
      `${kind}, does not answer`,
      error instanceof Error ? error.message : String(error),
    );
  }
};

const checkModels = async (): Promise<Finding> => {
  const wrong: string[] = [];
  const entries = [...Object.values(ledger), cohortEntry];
  for (const entry of entries) {
    await readModelFiles(entry).catch((error: unknown) =>
      wrong.push(error instanceof Error ? error.message : String(error)),
    );
  }
  const count = entries.length;
  return wrong.length === 0
    ? finding("models", `${count}, every hash as in MODELS.md`, undefined)
    : finding("models", `${wrong.length} of ${count} are wrong`, `${wrong.join("; ")}. Run npm ci.`);
};

/** No time server is asked: a clock before this version was made is wrong, tokens would be refused. */
const checkClock = (now: Date): Finding => {
  const isWrong = now < new Date("2026-11-01");
  return finding(
    "clock",
    now.toISOString(),
    isWrong ? "The clock is behind: switch time synchronisation on." : undefined,
  );
};
