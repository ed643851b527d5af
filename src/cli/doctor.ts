import { cohortEntry, eyewearEntry, ledger } from "#inference/ledger";
import { readModelFiles } from "#inference/model-files";
import { type Config, readConfig } from "../config.ts";
import { describeCohort, readOwnCohort } from "../open-cohort.ts";
import { openDocumentModels } from "../open-document-models.ts";
import { readDocumentPolicy } from "../open-document-policy.ts";
import { inspectLiveness, readFacePolicy } from "../open-face-policy.ts";
import { adviseOnAdded, describeAdded, findGaps, listAdded, readAdded } from "../open-models.ts";
import { openMorphology } from "../open-morphology.ts";
import { openPepList } from "../open-pep-list.ts";
import { findScale } from "../open-recogniser.ts";
import { type Command, parseOptions } from "./command.ts";
import { checkDirectory, checkDisk } from "./doctor-directory.ts";
import { checkPort, findListener } from "./doctor-port.ts";
import { checkStorage, settingsFindings } from "./doctor-storage.ts";
import { type Finding, finding, orRed, showFinding } from "./finding.ts";

export const doctor: Command = {
  summary: "check this machine and the settings",
  help: `Usage: idem doctor

Checks Node, settings, data directory, free disk, master key, store, S3, port, models, face cohort, what liveness is worth, models
of documents, who judges them, and clock. Prints a line for each: what was found, and what to do where something is wrong.
Ends with 1 when a line is red.

It makes nothing and may run beside a service. To see that they can be written it puts an empty file into the data
directory and an object under the prefix of the bucket, and removes both; what it writes into the database it takes
back with its transaction.`,
  run: async (args) => {
    parseOptions(args, {});
    const findings = [
      checkNode(process.versions.node),
      ...(await checkSettings()),
      await checkModels(),
      checkClock(new Date()),
    ];
    findings.forEach(showFinding);
    return findings.some(({ advice }) => advice !== undefined) ? 1 : 0;
  },
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

const checkSettings = async (): Promise<readonly Finding[]> => {
  const config = settingsFindings(readConfig);
  if (!("mode" in config)) {
    return config;
  }
  const listener = await findListener(config);
  const { findings, isOurs } = await checkStorage(config, listener);
  return [
    finding("settings", `${config.mode}, every value is good`),
    await checkDirectory(config.dataDirectory),
    await checkDisk(config.dataDirectory),
    ...findings,
    checkPort(config, listener, isOurs),
    await checkCohort(config),
    await checkAdded(config),
    await checkLiveness(config),
    await checkDocumentModels(config),
    await checkDocumentPolicy(config),
    await checkPepList(config),
    await checkMorphology(config),
  ];
};

/** The faces against which it is told how common a face looks: the operator's file is read, as a start does. */
const checkCohort = async (config: Config): Promise<Finding> =>
  await orRed("face cohort", "it cannot be used: the service does not start", async () => {
    const own = await readOwnCohort(config);
    return await orRed("face cohort", "cannot be told: the added models cannot be read", async () => {
      const added = await readAdded(config);
      const inForce = describeCohort(added, findScale(added, own));
      if (own === undefined) return finding("face cohort", inForce);
      const worth =
        own.points === undefined ? "error as beside the one that ships" : "error as counted with it";
      return finding("face cohort", `${inForce} (${config.faces.cohortFile}; ${worth})`);
    });
  });

/** Models that the operator put into a slot; each is read and its hash compared, as a start does. */
const checkAdded = async (config: Config): Promise<Finding> =>
  await orRed("added models", "one cannot be used: the service does not start", async () => {
    const selected = await readAdded(config);
    const added = listAdded(selected);
    const found = [describeAdded(added), ...findGaps(selected)].join("; ");
    return finding("added models", found, adviseOnAdded(added));
  });

/** What liveness is worth here, and whether production may start with it. A model that cannot be read counts as none. */
const checkLiveness = async (config: Config): Promise<Finding> =>
  await orRed("liveness", "its policy cannot be read: the service does not start", async () => {
    const selected = await readAdded(config).catch(() => ({}));
    const { version } = await readFacePolicy(config, selected);
    const { words, advice } = inspectLiveness(config, selected);
    return finding("liveness", `${words} (policy ${version})`, advice);
  });

/** What documents are known to look like: every model is read and looked through, as a start does. */
const checkDocumentModels = async (config: Config): Promise<Finding> =>
  await orRed("document models", "one cannot be used: the service does not start", async () => {
    const { national, generic, own } = openDocumentModels(config);
    const all = national.length + generic.length;
    const words =
      own === undefined
        ? `the ${all} that ship`
        : `the ${all - own.ids.length} that ship and ${own.ids.join(", ")}, SHA-256 ${own.sha256.slice(0, 12)}…`;
    return finding("document models", words);
  });

/** By which rules documents are decided: the operator's file is read, as a start does. */
const checkDocumentPolicy = async (config: Config): Promise<Finding> =>
  await orRed("document policy", "it cannot be used: the service does not start", async () => {
    const { version } = await readDocumentPolicy(config);
    return finding("document policy", version);
  });

/** Whom documents are compared with: the operator's file is read, as a start does. */
const checkPepList = async (config: Config): Promise<Finding> =>
  await orRed("exposed persons", "the list cannot be used: the service does not start", async () => {
    const list = await openPepList(config);
    const found =
      list === undefined
        ? "no list"
        : `${list.size} of ${list.source} ${list.version}, SHA-256 ${list.sha256.slice(0, 12)}…`;
    return finding("exposed persons", found);
  });

/** Who judges documents; a provider outside is asked whether it answers and takes the credentials. */
const checkMorphology = async (config: Config): Promise<Finding> =>
  await orRed("morphology", "the provider cannot be used: validations wait, then end FAILED", async () => {
    const provider = openMorphology(config);
    if (provider === undefined) return finding("morphology", "local: no picture leaves this house");
    await provider.checkAccess(AbortSignal.timeout(morphologyMsMax));
    return finding(
      "morphology",
      `${provider.name}: answers and takes the credentials; pictures are sent there`,
    );
  });

const morphologyMsMax = 10_000;

const checkModels = async (): Promise<Finding> => {
  const wrong: string[] = [];
  const entries = [...Object.values(ledger), cohortEntry, eyewearEntry];
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
