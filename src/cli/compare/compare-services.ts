import { CommandError, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { openRequests } from "./read-requests.ts";
import { replay } from "./replay.ts";
import { countsText, isRefused, reportLines } from "./report.ts";
import { type KeySource, openServices } from "./services.ts";
import type { Report } from "./tally.ts";

/** Requests between two lines of progress. */
const progressEvery = 10;

export const runCompareServices: Run = async (args) => {
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
