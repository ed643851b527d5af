import { strictClearingNote } from "#app/clearing-note";
import { describeCohort, readOwnCohort } from "#app/cohort";
import { openDocumentModels } from "#app/document-models";
import { readDocumentPolicy } from "#app/document-policy";
import { openDocumentProvider } from "#app/document-provider";
import { inspectLiveness, readFacePolicy } from "#app/face-policy";
import { adviseOnAdded, describeAdded, findGaps, listAdded, readAdded } from "#app/models";
import { openPepList } from "#app/pep-list";
import { proxyNote } from "#app/proxy-note";
import { findScale } from "#app/recogniser";
import { type Config, readConfig } from "#machine/config/config";
import { makeEgress } from "#machine/egress/make-egress";
import { cohortEntry, eyewearEntry, ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { parseOptions, type Run } from "../command.ts";
import { type Finding, finding, orRed, showFinding } from "../kit/finding.ts";
import { findListener } from "../kit/service/listener.ts";
import { checkDirectory, checkDisk } from "./directory.ts";
import { checkPort } from "./port.ts";
import { checkRegistries } from "./registries.ts";
import { checkSigner } from "./signer.ts";
import { checkStorage, settingsFindings } from "./storage.ts";

export const runDoctor: Run = async (args) => {
  parseOptions(args, {});
  const findings = [
    checkNode(process.versions.node),
    ...(await checkSettings()),
    await checkModels(),
    checkClock(new Date()),
  ];
  findings.forEach(showFinding);
  return findings.some(({ advice }) => advice !== undefined) ? 1 : 0;
};

/** Node reads TypeScript without a flag from 22.18 on. */
const checkNode = (version: string): Finding => {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isEnough = major > 22 || (major === 22 && minor >= 18);
  return finding(
    "Node",
    version,
    isEnough
      ? undefined
      : "Install Node 22.18 or later, or run npm ci, which brings its own 24 on Linux x64.",
  );
};

const checkSettings = async (): Promise<readonly Finding[]> => {
  const config = settingsFindings(readConfig);
  if (!("mode" in config)) {
    return [...config, finding("not checked", skippedChecks, "Correct the settings, then run this again.")];
  }
  const listener = await findListener(config);
  const { findings, isOurs } = await checkStorage(config, listener);
  return [
    finding("settings", `${config.mode}, every value is valid`),
    ...config.weakSecrets.map((sentence) => finding("secrets", `production refuses: ${sentence}`)),
    await checkDirectory(config.dataDirectory),
    await checkDisk(config.dataDirectory),
    ...findings,
    checkPort(config, listener, isOurs),
    checkProxies(config),
    await checkCohort(config),
    await checkAdded(config),
    await checkLiveness(config),
    await checkClearing(config),
    await checkDocumentModels(config),
    await checkDocumentPolicy(config),
    await checkPepList(config),
    await checkMorphology(config),
    await checkSigner(config),
    await checkRegistries(config),
  ];
};

/** A production service that names no proxy takes its proxy for every caller. */
const checkProxies = (config: Config): Finding => {
  const note = proxyNote(config);
  const named = config.http.trustedProxies?.join(", ") ?? "none named";
  return note === undefined
    ? finding("proxies", named)
    : finding(
        "proxies",
        note,
        "Set it to the addresses from which the proxy calls, such as loopback or uniquelocal.",
      );
};

/** The checks that read the settings. */
const skippedChecks =
  "data directory, disk, master key, store, due deliveries, stored objects, S3, port, proxies, cohort, added models, liveness, clearing, documents, watchlist, signer, registries";

/** The face cohort for score normalisation: reads the operator's file, as a start does. */
const checkCohort = async (config: Config): Promise<Finding> =>
  await orRed("face cohort", "it cannot be used: the service does not start", async () => {
    const own = await readOwnCohort(config);
    return await orRed("face cohort", "not known: the added models cannot be read", async () => {
      const added = await readAdded(config);
      const inForce = describeCohort(added, findScale(added, own));
      if (own === undefined) return finding("face cohort", inForce);
      const worth = own.points === undefined ? "error as beside the bundled one" : "error as counted with it";
      return finding("face cohort", `${inForce} (${config.faces.cohortFile}; ${worth})`);
    });
  });

/** Models that the operator put into a slot: reads each and compares its hash, as a start does. */
const checkAdded = async (config: Config): Promise<Finding> =>
  await orRed("added models", "a file cannot be used: the service does not start", async () => {
    const selected = await readAdded(config);
    const added = listAdded(selected);
    const found = [describeAdded(added), ...findGaps(selected)].join("; ");
    return finding("added models", found, adviseOnAdded(added));
  });

/**
 * The quality of liveness here, and whether production may start with it. An unreadable model counts as none.
 */
const checkLiveness = async (config: Config): Promise<Finding> =>
  await orRed("liveness", "its policy cannot be read: the service does not start", async () => {
    const selected = await readAdded(config).catch(() => ({}));
    const { version } = await readFacePolicy(config, selected);
    const { words, advice } = inspectLiveness(config, selected);
    return finding("liveness", `${words} (policy ${version})`, advice);
  });

/** Whether the assurance of clearing can be reached with the recogniser and the cohort in force. */
const checkClearing = async (config: Config): Promise<Finding> =>
  await orRed("clearing", "not known: the cohort or the added models cannot be read", async () => {
    const added = await readAdded(config);
    const note = strictClearingNote(config, added, findScale(added, await readOwnCohort(config)));
    return note === undefined
      ? finding("clearing", `tokens need the assurance ${config.clearing.assurance}`)
      : finding(
          "clearing",
          note,
          "Use the bundled recogniser and cohort, or IDEM_CLEARING_ASSURANCE=interface.",
        );
  });

/** The document models: reads and checks each, as a start does. */
const checkDocumentModels = async (config: Config): Promise<Finding> =>
  await orRed("document models", "a file cannot be used: the service does not start", async () => {
    const { national, generic, own } = await openDocumentModels(config);
    const all = national.length + generic.length;
    const words =
      own === undefined
        ? `the ${all} bundled ones`
        : `the ${all - own.ids.length} bundled ones and ${own.ids.join(", ")}, SHA-256 ${own.sha256.slice(0, 12)}…`;
    return finding("document models", words);
  });

/** The document policy: reads the operator's file, as a start does. */
const checkDocumentPolicy = async (config: Config): Promise<Finding> =>
  await orRed("document policy", "it cannot be used: the service does not start", async () => {
    const { version } = await readDocumentPolicy(config);
    return finding("document policy", version);
  });

/** The watchlist for documents: reads the operator's file, as a start does. */
const checkPepList = async (config: Config): Promise<Finding> =>
  await orRed("watchlist (PEP)", "the list cannot be used: the service does not start", async () => {
    const list = await openPepList(config, () => undefined);
    await list?.close();
    const found =
      list === undefined
        ? "none imported"
        : `${list.size} of ${list.source} ${list.version}, SHA-256 ${list.sha256.slice(0, 12)}…`;
    return finding("watchlist (PEP)", found);
  });

/** The document provider: asks an external provider whether it answers and accepts the credentials. */
const checkMorphology = async (config: Config): Promise<Finding> =>
  await orRed("morphology", "the provider is not usable: validations wait, then end FAILED", async () => {
    const provider = openDocumentProvider(config, makeEgress(config.egress));
    if (provider === undefined) return finding("morphology", "local: no image leaves this deployment");
    await provider.checkAccess(AbortSignal.timeout(morphologyMsMax));
    return finding(
      "morphology",
      `${provider.name}: answers and accepts the credentials; images are sent there`,
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

/**
 * Asks no time server. A clock earlier than the release of this version is wrong: tokens would be refused.
 */
const checkClock = (now: Date): Finding => {
  const isWrong = now < new Date("2026-11-01");
  return finding(
    "clock",
    now.toISOString(),
    isWrong ? "Switch time synchronisation on: the clock is behind." : undefined,
  );
};
