import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type {
  GateFigures,
  LocatedImage,
  LocationReport,
  Share,
} from "#evaluation/documents/measure-location";
import { percent } from "#evaluation/report/percent";
import { CommandError, parseOptions, UsageError } from "../command.ts";
import { checkFiguresFile, writeFigures } from "../kit/figures-file.ts";
import { checkImages, readListText } from "../kit/list-file.ts";
import type { WorkProgress } from "../kit/progress.ts";

const Corner = Type.Tuple([Type.Number(), Type.Number()]);
const Corners = Type.Tuple([Corner, Corner, Corner, Corner]);
const List = makeCheck(
  Type.Object({ quads: Type.Record(Type.String({ minLength: 1 }), Type.Union([Corners, Type.Null()])) }),
);
const shape = '{"quads": {"a.jpg": [[x, y], [x, y], [x, y], [x, y]], "no-card.jpg": null}}';

export type MeasureLocationDeps = {
  /** Decodes one image and locates its card, in pixels of the file; undefined when no card is found. */
  readonly locate: (bytes: Uint8Array) => Promise<NonNullable<LocatedImage["found"]> | undefined>;
  readonly summarise: (measured: readonly LocatedImage[]) => LocationReport;
  /** Writes one line of the result. */
  readonly out: (line: string) => void;
  readonly progress: WorkProgress;
};

type Options = { readonly quads: string; readonly root: string; readonly json: string | undefined };

const optionsOf = (argv: readonly string[]): Options => {
  const { values } = parseOptions(argv, {
    quads: { type: "string" },
    root: { type: "string" },
    json: { type: "string" },
  });
  if (values.quads === undefined) {
    throw new UsageError("Name the list: --quads FILE");
  }
  return { quads: values.quads, root: values.root ?? dirname(values.quads), json: values.json };
};

/** Corners by image. Throws CommandError that names the image with wrong corners. */
const readQuads = async (path: string) => {
  const text = await readListText(path);
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw new CommandError(`The list ${path} is not JSON. It takes ${shape}`);
  }
  if (!List.Check(list)) {
    const [, image] = /^\/quads\/([^/]+)/.exec(List.Errors(list)[0]?.instancePath ?? "") ?? [];
    const where = image === undefined ? "" : ` at ${image.replaceAll("~1", "/").replaceAll("~0", "~")}`;
    throw new CommandError(`The list ${path} has another shape${where}. It takes ${shape}`);
  }
  return Object.entries(list.quads);
};

const measureImage = async (
  path: string,
  truth: LocatedImage["truth"],
  { locate, progress }: MeasureLocationDeps,
): Promise<LocatedImage> => {
  const bytes = await readFile(path);
  const start = performance.now();
  const found = await locate(bytes).catch((error: unknown) => {
    progress.note(`${path}: ${error instanceof Error ? error.message : "could not be read"}`);
    return undefined;
  });
  const ms = performance.now() - start;
  return { truth, ms, ...(found === undefined ? {} : { found }) };
};

const shareText = ({ count, n, share, bounds }: Share): string =>
  share === null
    ? "-"
    : `${count} of ${n}, ${percent(share)} (95 %: ${percent(bounds.low)} to ${percent(bounds.high)})`;

const ms = (value: number | null): string => (value === null ? "-" : `${value.toFixed(0)} ms`);

const gateLine = ({ score, accepted, right, falseCards }: GateFigures): string => {
  const without = falseCards.n === 0 ? "" : `; without a card ${falseCards.count} of ${falseCards.n}`;
  return `score from ${score.toFixed(1)}  accepted ${accepted.count}, of these right ${shareText(right)}${without}`;
};

const describe = (report: LocationReport): readonly string[] => [
  `images          ${report.pictures}, of these ${report.over90.n} with a card`,
  `IoU over .9     ${shareText(report.over90)}`,
  `IoU over .75    ${shareText(report.over75)}`,
  `nothing found   ${shareText(report.refused)}`,
  `median IoU      ${report.medianIou === null ? "-" : report.medianIou.toFixed(3)}`,
  ...report.gates.map(gateLine),
  `time an image  median ${ms(report.ms.median)}, p95 ${ms(report.ms.p95)}, decode included`,
];

/**
 * Runs `idem measure location` and returns exit code 0. Throws UsageError for wrong usage, CommandError when
 * the list or one of its images cannot be read from disk.
 */
export const measureLocation = async (
  argv: readonly string[],
  deps: MeasureLocationDeps,
): Promise<number> => {
  const options = optionsOf(argv);
  await checkFiguresFile("--json", options.json);
  const quads = await readQuads(options.quads);
  const named = quads.map(([path], i) => ({ path, where: `Image ${i + 1} of ${options.quads}` }));
  await checkImages(named, options.root);
  const measured: LocatedImage[] = [];
  for (const [i, [path, truth]] of quads.entries()) {
    measured.push(await measureImage(resolve(options.root, path), truth, deps));
    deps.progress.show(i + 1, quads.length);
  }
  const report = deps.summarise(measured);
  for (const line of describe(report)) deps.out(line);
  await writeFigures(options.json, report);
  return 0;
};
