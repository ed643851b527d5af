import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { verificationCode } from "#contract/verification-code";
import type { Imaging } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { type Case, makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { CommandError, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { makeDirectory } from "../kit/make-directory.ts";
import { connect } from "../kit/service/call-route.ts";
import { makeClient } from "../kit/service/client.ts";
import { describeMessage, eventOf, isVerified } from "../kit/service/describe-message.ts";
import { mailboxOf, type ShownMessage } from "../kit/service/mailbox.ts";
import { finish, type Onboarding, onboard } from "../kit/service/onboarding.ts";
import { fetchPublishedKeys } from "../kit/service/published-keys.ts";
import { withSandboxedService } from "../kit/service/sandboxed-service.ts";
import { type ServiceProcess, withFreshService } from "../kit/service/service-process.ts";
import { askClearing } from "./ask-clearing.ts";
import { readEvents } from "./events.ts";
import { runFullSteps } from "./full.ts";
import { prove } from "./prove.ts";
import { type SignedContract, signContract } from "./sign-contract.ts";

export const runDemo: Run = async (args) => {
  const { values } = parseOptions(args, {
    full: { type: "boolean", default: false },
    exit: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    keep: { type: "string" },
    port: { type: "string", default: "0" },
  });
  const port = parsePort(values.port);
  reportIgnored(process.env);
  const environment = { IDEM_PORT: port, IDEM_LOG_LEVEL: "error", ...takenFrom(process.env) };
  if (values.keep !== undefined) await inWordsOfKeep(values.keep, makeDirectory(values.keep));
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const cases = await makeCases(imaging, await readPersons(), new Date());
  if (values.keep !== undefined) {
    await keepImages(values.keep, cases);
  }
  const run = async ({ service, directory }: Started): Promise<number> => {
    const folder = values.keep ?? directory;
    const isUsualRight =
      (await runCases(service, cases, { isJson: values.json, folder })) &&
      (await showProof(service, directory, cases));
    const isRight = (!values.full || (await runFull(service, imaging, values.json))) && isUsualRight;
    if (!values.exit) {
      await stayUp(service, directory);
    }
    return isRight ? 0 : 1;
  };
  return values.full
    ? await withSandboxedService("demo", environment, run)
    : await withFreshService("demo", { ...environment, ...strictClearing }, (service, directory) =>
        run({ service, directory }),
      );
};

/**
 * The whole demo transfers a person of the sandbox, whose selfie no capture page took: it keeps what the
 * interface asks for.
 */
const strictClearing = { IDEM_CLEARING_ASSURANCE: "strict" } as const;

/** A service that runs, and its data directory. */
type Started = { readonly service: ServiceProcess; readonly directory: string };

/** The steps that need the sandbox. */
const runFull = async (service: ServiceProcess, imaging: Imaging, isJson: boolean): Promise<boolean> =>
  await runFullSteps(
    {
      client: makeClient(service.url, service.apiKey),
      keys: await fetchPublishedKeys(service.url),
      imaging,
    },
    mailboxOf(connect(service.url, service.apiKey)),
    isJson,
  );

const parsePort = (text: string): string => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError(`--port is ${JSON.stringify(text)}. Use a whole number from 0 to 65535.`);
  }
  return text;
};

/** The setting that the demo takes over: a busy machine needs more time for a call. */
const taken = "IDEM_REQUEST_TIMEOUT_MS";

const takenFrom = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> => {
  const value = environment[taken];
  return value === undefined ? {} : { [taken]: value };
};

/** Names the settings that the operator may expect to apply. */
const reportIgnored = (environment: NodeJS.ProcessEnv): void => {
  const ignored = Object.keys(environment).filter((name) => /^IDEM_(?!TEST_)/.test(name) && name !== taken);
  if (ignored.length > 0) say(`The demo ignores ${ignored.join(", ")}. It has --port.`);
};

const inWordsOfKeep = async (directory: string, work: Promise<void>): Promise<void> =>
  await work.catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`--keep ${directory} cannot be written (${error.code ?? error.message}).`);
  });

/** Writes two files per case, over those of an earlier run. */
const keepImages = async (directory: string, cases: readonly Case[]): Promise<void> => {
  const keep = async (): Promise<void> => {
    for (const { name, document, selfie } of cases) {
      await writeFile(join(directory, `${name}-document.jpg`), document);
      await writeFile(join(directory, `${name}-selfie.jpg`), selfie);
    }
  };
  await inWordsOfKeep(directory, keep());
  say(`The images of ${cases.length} cases are in ${directory}.`);
};

/** Runs the cases one by one; true when each has its expected result. */
const runCases = async (
  service: ServiceProcess,
  cases: readonly Case[],
  { isJson, folder }: { readonly isJson: boolean; readonly folder: string },
): Promise<boolean> => {
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  say(`Ready after ${service.startMs.toFixed(0)} ms at ${service.url}. ${cases.length} persons apply.`);
  const mailbox = mailboxOf(connect(service.url, service.apiKey));
  await mailbox.ensure();
  let isRight = true;
  for (const one of cases) {
    const operation = { operationId: `demo-${one.name}`, extraData: `tracking of demo-${one.name}` };
    const result = await onboard(client, keys, one, { operation });
    const contract =
      result.identity.facialAuthenticationHash === undefined || result.outcome !== "approved"
        ? undefined
        : await signContract(client, result, operation, join(folder, `${one.name}-signed.pdf`));
    const clearing = await askClearing(client, result);
    await finish(client, result, operation);
    const events = await readEvents(mailbox, operation.operationId);
    const mistakes = [...findMistakes(one, result), ...findEventMistakes(events)];
    isRight &&= mistakes.length === 0;
    if (isJson) {
      const names = events.map((event) => eventOf(event).name);
      print(JSON.stringify({ ...lineOf(one, result), clearing: clearing.code, events: names }));
    } else {
      printCase(one, result);
      print(`  clearing   ${clearing.text}`);
      if (contract !== undefined) printContract(contract);
      events.forEach((event) => print(`  event      ${describeMessage(event)}`));
    }
    mistakes.forEach((mistake) => say(`  UNEXPECTED: ${mistake}`));
  }
  return isRight;
};

/** The evidence bundle of the first case, verified as a receiver does. True where it is valid. */
const showProof = async (
  service: ServiceProcess,
  directory: string,
  [first]: readonly Case[],
): Promise<boolean> => {
  if (first === undefined) return true;
  const proven = await prove(makeClient(service.url, service.apiKey), directory, `demo-${first.name}`);
  say(
    `\nThe evidence of ${first.name}: a signed PDF of ${proven.bytes} bytes, verified without the service:`,
  );
  proven.lines.forEach((line) => say(`  ${line}`));
  return proven.isValid;
};

const lineOf = (one: Case, result: Onboarding) => ({
  case: one.name,
  outcome: result.outcome,
  facialAuthenticationResult: result.identity.facialAuthenticationResult,
  passiveLivenessResult: result.identity.passiveLivenessResult,
  verificationCode: result.verification.code,
  reasonCode: result.verification.reasonCode,
  portraitEvidence: result.verification.portraitEvidence,
  ms: Math.round(result.ms),
});

const must = (what: string, found: unknown, right: readonly unknown[]): readonly string[] =>
  right.includes(found) ? [] : [`${what} is ${String(found)}, expected ${right.map(String).join(" or ")}`];

/** What of a result is not as its case expects. */
export const findMistakes = ({ expected }: Case, result: Onboarding): readonly string[] => {
  const { identity, verification } = result;
  return [
    ...must("outcome", result.outcome, [expected.outcome]),
    ...must("facialAuthenticationResult", identity.facialAuthenticationResult, expected.facial),
    ...must("passiveLivenessResult", identity.passiveLivenessResult, expected.liveness),
    ...must("verification code", verification.code, expected.verificationCodes),
    ...must("reason code", verification.reasonCode, expected.reasonCodes),
  ];
};

const findEventMistakes = (events: readonly ShownMessage[]): readonly string[] => [
  ...(events.some((event) => eventOf(event).name === "operation_finished")
    ? []
    : ["the event operation_finished did not arrive"]),
  ...events.filter((event) => !isVerified(event)).map((event) => `${eventOf(event).name} is not verified`),
];

/** A number of the contract with its name: "17 NoLive". */
const named = (number: number, words: Readonly<Record<string, number>>): string =>
  [number, ...Object.keys(words).filter((word) => words[word] === number)].join(" ");

const printCase = (
  one: Case,
  { identity, verification, outcome, identityMs, documentMs, ms }: Onboarding,
): void => {
  const similarity = (identity.facialAuthenticationSimilarity * 100).toFixed(2);
  const reason =
    verification.reasonCode === null ? "" : `, reason ${verification.reasonCode} (${verification.reason})`;
  print(`\n${one.name}: ${one.story}`);
  print(
    `  face       ${named(identity.facialAuthenticationResult, facialAuthenticationNumber)}, similarity ${similarity} %`,
  );
  print(`  liveness   ${named(identity.passiveLivenessResult, livenessNumber)}`);
  print(`  document   ${named(verification.code, verificationCode)}${reason}`);
  print(`  portrait   ${verification.portraitEvidence ?? "unknown"}`);
  print(
    `  outcome    ${outcome.toUpperCase()} in ${ms.toFixed(0)} ms (identity ${identityMs.toFixed(0)}, document ${documentMs.toFixed(0)})`,
  );
};

const printContract = ({ file, bytes, transaction }: SignedContract): void => {
  print(`  signed     ${file} (${(bytes / 1000).toFixed(0)} kB, transaction ${transaction})`);
  print(`             pdfsig ${file}`);
};

/** Keeps the service up until Ctrl-C, and prints a request to try. */
const stayUp = async (service: ServiceProcess, directory: string): Promise<void> => {
  const { selfie } = await readPersons();
  const body = join(directory, "selfie.json");
  await writeFile(body, JSON.stringify({ imageBuffer: Buffer.from(selfie).toString("base64") }), {
    mode: 0o600,
  });
  say();
  say(
    `The service stays up: the demo in a browser at ${service.url}/demo, documentation at ${service.url}/docs, events at ${service.url}/mailbox. Ctrl-C ends it. Try:`,
  );
  say(
    `  curl -s ${service.url}/services/evaluatePassiveLiveness -H 'x-api-key: ${service.apiKey}' -H 'content-type: application/json' -d @${body}`,
  );
  await service.ended;
};
