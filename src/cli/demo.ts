import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { livenessNumber } from "#contract/liveness";
import { verificationCode } from "#contract/verification-code";
import { makeImaging } from "#imaging/imaging";
import { defaultImagingLimits } from "#imaging/limits";
import { makeClient } from "./client.ts";
import { type Command, CommandError, parseOptions, print, say, UsageError } from "./command.ts";
import { type Case, makeCases } from "./demo-cases.ts";
import { type Onboarding, onboard } from "./onboarding.ts";
import { readPersons } from "./persons.ts";
import { type ServiceProcess, withFreshService } from "./service-process.ts";
import { fetchPublishedKeys } from "./tokens.ts";

export const demo: Command = {
  summary: "onboard five persons over HTTP and tell the story",
  help: `Usage: idem demo [--exit] [--json] [--keep DIR] [--port N]

Starts the service on the embedded store in a fresh temporary directory, seals selfies as the widget would, and calls
documentValidation start, identity, status and data for a genuine person and four that must not pass. Then the service
stays up until Ctrl-C or SIGTERM, with its documentation page. Ends with 1 when a case came out otherwise than it must.

  --exit   end the service and remove the directory when the story is told
  --keep   write the pictures of every case to DIR, to try the API with them; they are for trials on this machine only
  --json   one JSON line per case on stdout and nothing else there
  --port   port of the service; default a free one`,
  run: async (args) => {
    const { values } = parseOptions(args, {
      exit: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      keep: { type: "string" },
      port: { type: "string", default: "0" },
    });
    const port = parsePort(values.port);
    const environment = { IDEM_PORT: port, IDEM_LOG_LEVEL: "error" };
    const cases = await makeCases(
      makeImaging({ limits: defaultImagingLimits }),
      await readPersons(),
      new Date(),
    );
    if (values.keep !== undefined) {
      await keepPictures(values.keep, cases);
    }
    return await withFreshService("demo", environment, async (service, directory) => {
      const isRight = await tell(service, cases, values.json);
      if (!values.exit) {
        await stayUp(service, directory);
      }
      return isRight ? 0 : 1;
    });
  },
};

const parsePort = (text: string): string => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError(`--port is ${JSON.stringify(text)}. It takes a whole number from 0 to 65535.`);
  }
  return text;
};

/** Two files a case, which replace those of an earlier run. */
const keepPictures = async (directory: string, cases: readonly Case[]): Promise<void> => {
  const keep = async (): Promise<void> => {
    await mkdir(directory, { recursive: true });
    for (const { name, document, selfie } of cases) {
      await writeFile(join(directory, `${name}-document.jpg`), document);
      await writeFile(join(directory, `${name}-selfie.jpg`), selfie);
    }
  };
  await keep().catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`--keep ${directory} cannot be written (${error.code ?? error.message}).`);
  });
  say(`The pictures of ${cases.length} cases are in ${directory}.`);
};

/** Runs the cases one after the other; true when each came out as it must. */
const tell = async (service: ServiceProcess, cases: readonly Case[], isJson: boolean): Promise<boolean> => {
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  say(
    `Ready after ${service.startMs.toFixed(0)} ms at ${service.url}. ${cases.length} persons come to the door.`,
  );
  let isRight = true;
  for (const one of cases) {
    const result = await onboard(client, keys, one);
    const mistakes = findMistakes(one, result);
    isRight &&= mistakes.length === 0;
    if (isJson) {
      print(JSON.stringify(lineOf(one, result)));
    } else {
      tellCase(one, result);
    }
    mistakes.forEach((mistake) => say(`  NOT AS IT MUST BE: ${mistake}`));
  }
  return isRight;
};

const lineOf = (one: Case, result: Onboarding) => ({
  case: one.name,
  outcome: result.outcome,
  facialAuthenticationResult: result.identity.facialAuthenticationResult,
  passiveLivenessResult: result.identity.passiveLivenessResult,
  verificationCode: result.verification.code,
  reasonCode: result.verification.reasonCode,
  ms: Math.round(result.ms),
});

const must = (what: string, found: unknown, right: readonly unknown[]): readonly string[] =>
  right.includes(found) ? [] : [`${what} is ${String(found)}, must be ${right.map(String).join(" or ")}`];

const findMistakes = ({ expected }: Case, result: Onboarding): readonly string[] => {
  const { identity, verification } = result;
  return [
    ...must("outcome", result.outcome, [expected.outcome]),
    ...must("facialAuthenticationResult", identity.facialAuthenticationResult, expected.facial),
    ...must("passiveLivenessResult", identity.passiveLivenessResult, expected.liveness),
    ...must("verification code", verification.code, expected.verificationCodes),
    ...must("reason code", verification.reasonCode, expected.reasonCodes),
  ];
};

/** A number of the interface with its word: "17 NoLive". */
const named = (number: number, words: Readonly<Record<string, number>>): string =>
  [number, ...Object.keys(words).filter((word) => words[word] === number)].join(" ");

const tellCase = (
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
  print(
    `  outcome    ${outcome.toUpperCase()} in ${ms.toFixed(0)} ms (identity ${identityMs.toFixed(0)}, document ${documentMs.toFixed(0)})`,
  );
};

/** Leaves the service up until Ctrl-C, with something to try. */
const stayUp = async (service: ServiceProcess, directory: string): Promise<void> => {
  const { selfie } = await readPersons();
  const body = join(directory, "selfie.json");
  await writeFile(body, JSON.stringify({ imageBuffer: Buffer.from(selfie).toString("base64") }), {
    mode: 0o600,
  });
  say();
  say(`The service stays up: documentation at ${service.url}/docs. Ctrl-C ends it. Try:`);
  say(
    `  curl -s ${service.url}/services/evaluatePassiveLiveness -H 'x-api-key: ${service.apiKey}' -H 'content-type: application/json' -d @${body}`,
  );
  await service.ended;
};
