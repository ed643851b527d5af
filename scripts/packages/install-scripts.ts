/** A package of the installed tree that npm would run code of at its installation. */
export type InstallScript = {
  /** Place in the tree, such as `node_modules/better-sqlite3`. */
  readonly place: string;
  readonly name: string;
  /**
   * What npm would run: the script's name with its command, or node-gyp for a `binding.gyp` without a script.
   */
  readonly runs: string;
};

/** What the check reads of one package. */
export type InstalledPackage = {
  readonly place: string;
  readonly name: string;
  readonly scripts: Readonly<Record<string, unknown>>;
  /**
   * Whether `binding.gyp` stands beside its package.json: npm then runs `node-gyp rebuild` (npm docs,
   * 'scripts').
   */
  readonly hasGyp: boolean;
};

const stages = ["preinstall", "install", "postinstall"] as const;

/** The install scripts of the packages, as npm would run them, in the order of their places. */
export const installScriptsOf = (packages: readonly InstalledPackage[]): readonly InstallScript[] =>
  packages.flatMap(({ place, name, scripts, hasGyp }) => {
    const own = stages.flatMap((stage) =>
      typeof scripts[stage] === "string" ? [`${stage}: ${scripts[stage]}`] : [],
    );
    const isBuilt = hasGyp && scripts["install"] === undefined && scripts["preinstall"] === undefined;
    const runs = [...own, ...(isBuilt ? ["node-gyp rebuild"] : [])].join("; ");
    return runs === "" ? [] : [{ place, name, runs }];
  });

/** Packages with an install script that work without it, with the reason: tried by `.ci/bare-machine.sh`. */
export const worksWithout: Readonly<Record<string, string>> = {
  "better-sqlite3": "its package carries the compiled program of each platform",
  "onnxruntime-node": "its package carries the CPU runtime; the script would fetch CUDA libraries",
  "tesseract.js": "the script only prints a request for donations",
  "vue-demi": "the script chooses between Vue 2 and 3; nothing of it runs, the docs reader is one built file",
};

/**
 * What stands in the way of an installation without scripts: a package whose script is not known to be
 * needless, a listed one that has none any more, and an `.npmrc` that lets scripts run.
 */
export const scriptFaults = (found: readonly InstallScript[], npmrc: string): readonly string[] => {
  const names = new Set(found.map(({ name }) => name));
  return [
    ...(/^ignore-scripts=true$/m.test(npmrc) ? [] : [".npmrc lacks the line ignore-scripts=true"]),
    ...found
      .filter(({ name }) => !Object.hasOwn(worksWithout, name))
      .map(
        ({ place, runs }) =>
          `${place} has an install script (${runs}): show that it works without, or leave it`,
      ),
    ...Object.keys(worksWithout)
      .filter((name) => !names.has(name))
      .map((name) => `${name} has no install script any more: take it off the list`),
  ];
};
