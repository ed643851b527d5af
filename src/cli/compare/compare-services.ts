import { type Command, CommandError, parseOptions, print, say, UsageError } from "../command.ts";
import { openRequests } from "./read-requests.ts";
import { replay } from "./replay.ts";
import { countsText, isRefused, reportLines } from "./report.ts";
import { type KeySource, openServices } from "./services.ts";
import type { Report } from "./tally.ts";

/** Requests between two lines of progress. */
const progressEvery = 10;

export const compareServices: Command = {
  help: `Usage: idem compare-services --requests FILE --theirs URL --ours URL
                             --their-key-env NAME | --their-key-file FILE
                             --our-key-env NAME | --our-key-file FILE [options]

Sends each recorded request to both services, one request at a time, and compares the answers field by field. The requests
are carried out: they enrol and delete users and start validations. Use test keys and test data.

Compared exactly: HTTP statuses, result numbers, reason codes, statuses, enumerated values, and all other values. Ids, times,
tokens, templates and explaining texts differ by nature: presence, type and shape are compared. Similarities, ages and other
estimates have a tolerance. Fields that ours answers in addition are listed, and are no differences.
The report holds no personal value: codes and enumerated values are shown, of other values the kind and length.

FILE is JSON Lines (UTF-8), one request a line:
  {"method": "POST", "path": "/services/authenticateFacial", "body": {…}}
and optionally (the method is POST without one):
  "name": "genuine"                       the word for it in the report, in place of its operation; nothing personal
  "capture": {"scan": "scanReference"}    names a value of the answer; {{scan}} in later bodies and paths is each service's own
  "until": {"status": ["DONE", "FAILED"]} repeats the request until the field has one of these values
  "theirs": {…}, "ours": {…}              fields of the body for one service alone, such as a token that only it can open
  "headers": {"family": "OnBoarding"}     app-name and family
A file whose name ends in .har is read as a HAR export: its requests whose address begins with --theirs. Ids of recorded
answers are then replaced by each service's own, and status queries repeated, without further marks.

  --theirs, --ours        base addresses, such as https://api.example.com/v1 and http://127.0.0.1:8080. Plain http goes to this
                          host alone; a private address must stand in the option itself, or in IDEM_EGRESS_ALLOW
  --their-key-env NAME    environment variable with the key; --their-key-file: a file with the key alone; so for ours
  --similarity N          tolerance of similarities, 0 to 1; default 0.05
  --ignore FIELD          a field that is not compared, by its name or path; may be repeated
  --per-second N          most requests to one service in a second; default 2
  --timeout-seconds N     for one answer; default 60
  --until-seconds N       longest repetition of one request; default 300
  --json                  the report as JSON

Nothing is sent before the whole file was checked. Exit code 0: no difference; 1: differences, requests that failed, or
every request refused by both services; 2: wrong usage. More: docs/guides/moving-here.md`,
  run: async (args) => {
    const options = readOptions(args);
    const { theirs, ours } = await openServices(options);
    const { count, leftOut, requests } = await openRequests(options.requests, options.theirs.url);
    if (leftOut > 0) say(`Left out: ${leftOut} entries that are no call to --theirs with JSON`);
    let done = 0;
    const { report, isWhole } = await replay(requests(), {
      theirs,
      ours,
      rules: options.rules,
      untilMs: options.untilMs,
      untilPauseMs: 1000,
      onProgress: (soFar) => {
        done++;
        if (done % progressEvery === 0) say(`${done} of ${count} requests: ${countsText(soFar())}`);
      },
    });
    show(report, options.isJson);
    if (!isWhole) {
      throw new CommandError(
        `Ended after ${done} of ${count} requests: a service gave no answer to several in a row. Its reasons stand in the report.`,
      );
    }
    if (isRefused(report)) {
      throw new CommandError(
        "Both services refused every request, so nothing was compared. Check the keys, the base addresses and the recorded requests.",
      );
    }
    return report.different + report.failed === 0 ? 0 : 1;
  },
};

const show = (report: Report, isJson: boolean): void => {
  if (isJson) print(JSON.stringify(report, undefined, 2));
  else for (const line of reportLines(report)) print(line);
};

const readOptions = (args: readonly string[]) => {
  const { values } = parseOptions(args, {
    requests: { type: "string" },
    theirs: { type: "string" },
    ours: { type: "string" },
    "their-key-env": { type: "string" },
    "their-key-file": { type: "string" },
    "our-key-env": { type: "string" },
    "our-key-file": { type: "string" },
    similarity: { type: "string", default: "0.05" },
    ignore: { type: "string", multiple: true, default: [] },
    "per-second": { type: "string", default: "2" },
    "timeout-seconds": { type: "string", default: "60" },
    "until-seconds": { type: "string", default: "300" },
    json: { type: "boolean", default: false },
  });
  const { requests } = values;
  if (requests === undefined) throw new UsageError("Name the recorded requests: --requests FILE");
  return {
    requests,
    theirs: {
      url: baseAddress("--theirs", values.theirs),
      key: keySource("--their-key", values["their-key-env"], values["their-key-file"]),
    },
    ours: {
      url: baseAddress("--ours", values.ours),
      key: keySource("--our-key", values["our-key-env"], values["our-key-file"]),
    },
    rules: {
      similarityTolerance: numberIn("--similarity", values.similarity, 0, 1),
      ignored: new Set(values.ignore),
    },
    pauseMs: 1000 / numberIn("--per-second", values["per-second"], 0.01, 1000),
    timeoutMs: 1000 * numberIn("--timeout-seconds", values["timeout-seconds"], 1, 600),
    untilMs: 1000 * numberIn("--until-seconds", values["until-seconds"], 1, 86_400),
    isJson: values.json,
  };
};

/** The address without a slash at its end. */
const baseAddress = (option: string, text: string | undefined): string => {
  const url = URL.parse(text ?? "");
  const isBase =
    url !== null &&
    (url.protocol === "http:" || url.protocol === "https:") &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  if (!isBase) {
    throw new UsageError(
      `Name the base address of a service: ${option} https://… , without key, query or user name`,
    );
  }
  return url.href.replace(/\/+$/, "");
};

const keySource = (option: string, variable: string | undefined, file: string | undefined): KeySource => {
  if ((variable === undefined) === (file === undefined)) {
    throw new UsageError(`Name where the key is: ${option}-env NAME or ${option}-file FILE`);
  }
  return variable === undefined ? { option, file: file ?? "" } : { option, variable };
};

const numberIn = (option: string, text: string, min: number, max: number): number => {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new UsageError(`Set ${option} to a number from ${min} to ${max}`);
  return value;
};
