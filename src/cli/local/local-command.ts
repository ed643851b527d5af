/** A command that answers one question about images, or a list of them, without a service. */
import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type LocalChecks, openLocalChecks } from "#app/local-checks";
import { readConfig } from "#machine/config/config";
import { CommandError, opening, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { listenForEnd } from "../kit/end-signals.ts";
import { checkFiguresFile } from "../kit/figures-file.ts";
import { writeOutFile } from "../kit/write-out-file.ts";
import type { Answer, Check, Question } from "./check.ts";
import { exitCodeOf } from "./exit-code.ts";
import { answerList } from "./list/answer-list.ts";
import { writeAnswerPage } from "./page.ts";
import { describeUnusable } from "./unusable-image.ts";

/**
 * The bytes of an image of the operator. Throws CommandError for a file that cannot be read or is too large.
 */
export const readImageFile = async (path: string, bytesMax: number): Promise<Uint8Array> => {
  try {
    const { size } = await stat(path);
    if (size > bytesMax) {
      throw new CommandError(
        `${path} has ${size} bytes, and an image at most ${bytesMax} (IDEM_IMAGE_BYTES_MAX).`,
      );
    }
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new CommandError(`${path} cannot be read (${code}).`, { cause: error });
  }
};

const optionsOf = ({ images, isPositional, optionalImages, values }: Check) => {
  const own = [...(isPositional ? [] : images), ...optionalImages, ...Object.keys(values)];
  return {
    ...Object.fromEntries(own.map((name) => [name, { type: "string" as const }])),
    list: { type: "string" as const },
    out: { type: "string" as const },
    root: { type: "string" as const },
    html: { type: "string" as const },
    json: { type: "boolean" as const, default: false },
  };
};

type Parsed = {
  readonly text: (name: string) => string | undefined;
  readonly isJson: boolean;
  readonly positionals: readonly string[];
};

const parse = (check: Check, args: readonly string[]): Parsed => {
  const parsed = parseOptions(args, optionsOf(check), check.isPositional);
  const values: Readonly<Record<string, unknown>> = parsed.values;
  return {
    text: (name) => {
      const value = values[name];
      return typeof value === "string" ? value : undefined;
    },
    isJson: values["json"] === true,
    positionals: parsed.positionals,
  };
};

/** The paths of the images of one question. Throws UsageError for a missing or a superfluous one. */
const pathsOf = (check: Check, { text, positionals }: Parsed): Readonly<Record<string, string>> => {
  const { images, isPositional, optionalImages } = check;
  const needed = isPositional
    ? images.map((name, at) => [name, positionals[at]] as const)
    : images.map((name) => [name, text(name)] as const);
  const [missing] = needed.filter(([, path]) => path === undefined);
  if (missing !== undefined || positionals.length > images.length) {
    const shown = isPositional
      ? images.map((name) => name.toUpperCase())
      : images.map((name) => `--${name} IMAGE`);
    throw new UsageError(
      `Name ${images.length === 1 ? "one image" : `${images.length} images`}: idem ${check.name} ${shown.join(" ")}. Or a list: --list CSV --out CSV`,
    );
  }
  const given = [...needed, ...optionalImages.map((name) => [name, text(name)] as const)];
  return Object.fromEntries(given.flatMap(([name, path]) => (path === undefined ? [] : [[name, path]])));
};

const valuesOf = ({ values }: Check, { text }: Parsed): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, checkValue]) => {
      const value = text(name);
      if (value === undefined) return [];
      checkValue(value);
      return [[name, value]];
    }),
  );

/** A report never takes the place of a file that the call reads or writes. */
const requireOther = (html: string | undefined, files: readonly string[]): void => {
  const [same] = files.filter((file) => html !== undefined && resolve(file) === resolve(html));
  if (same !== undefined)
    throw new UsageError(`--html ${same} is a file of this call. Name another one for the report.`);
};

/** The answer as aligned text. */
const printAnswer = ({ sections }: Answer): void => {
  const width = Math.max(...sections.flatMap(({ rows }) => rows.map(([name]) => name.length))) + 2;
  sections.forEach(({ heading, rows }, at) => {
    if (at > 0) print("");
    print(heading);
    for (const [name, value] of rows) print(`  ${name.padEnd(width)}${value}`);
  });
};

const answerOne = async (
  check: Check,
  parsed: Parsed,
  paths: Readonly<Record<string, string>>,
): Promise<number> => {
  const values = valuesOf(check, parsed);
  const html = parsed.text("html");
  await checkFiguresFile("--html", html);
  requireOther(html, Object.values(paths));
  const config = readConfig();
  const images: Record<string, Uint8Array> = {};
  for (const [name, path] of Object.entries(paths)) {
    images[name] = await readImageFile(path, config.images.bytesMax);
  }
  const checks = await opening(openLocalChecks(config));
  try {
    const question: Question = { images, values };
    const answer = await check.ask(checks, question).catch((error: unknown) => {
      const problem = describeUnusable(error, check, (image) => paths[image]);
      throw problem === undefined ? error : new CommandError(problem, { cause: error });
    });
    const { verdict, result, detail } = answer;
    if (parsed.isJson) {
      const { settings } = checks;
      print(JSON.stringify({ check: check.name, verdict, result, detail, settings }, null, 2));
    } else {
      printAnswer(answer);
    }
    if (html !== undefined) {
      await writeOutFile(html, [
        Buffer.from(await writeAnswerPage(check, question, answer, checks.settings)),
      ]);
      say(`\n${html} holds the images: keep it as you keep them.`);
    }
    return exitCodeOf[verdict];
  } finally {
    await checks.close();
  }
};

const answerMany = async (check: Check, parsed: Parsed, list: string): Promise<number> => {
  const { text, positionals, isJson } = parsed;
  const out = text("out");
  if (out === undefined) throw new UsageError("Name the file of the answers: --out CSV");
  const stray = [
    ...check.optionalImages,
    ...(check.isPositional ? [] : check.images),
    ...Object.keys(check.values),
  ].find((name) => text(name) !== undefined);
  if (stray !== undefined || positionals.length > 0 || isJson) {
    throw new UsageError(
      `${stray === undefined ? (isJson ? "--json" : positionals[0]) : `--${stray}`} does not go with --list: the images and values are columns of the list.`,
    );
  }
  const html = text("html");
  await checkFiguresFile("--html", html);
  requireOther(html, [list, out]);
  const config = readConfig();
  let opened: Promise<LocalChecks> | undefined;
  const open = (): Promise<LocalChecks> => (opened ??= opening(openLocalChecks(config)));
  try {
    return await answerList({
      check,
      list,
      out,
      root: text("root"),
      html,
      open,
      width: config.inference.workers,
      ending: listenForEnd(),
      readImage: (path) => readImageFile(path, config.images.bytesMax),
    });
  } finally {
    await (await opened?.catch(() => undefined))?.close();
  }
};

/** The command of a check. */
export const runCheck =
  (check: Check): Run =>
  async (args) => {
    const parsed = parse(check, args);
    const list = parsed.text("list");
    if (list !== undefined) return await answerMany(check, parsed, list);
    const stray = ["out", "root"].find((name) => parsed.text(name) !== undefined);
    if (stray !== undefined) throw new UsageError(`--${stray} goes with --list`);
    return await answerOne(check, parsed, pathsOf(check, parsed));
  };
