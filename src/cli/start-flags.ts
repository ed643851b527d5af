/**
 * What a process can set only for its successor (docs/decisions/0009). glibc gives every thread its own
 * arenas and rarely returns their freed blocks; V8 lets the young generation grow to a hundred megabytes on
 * large machines.
 */
const arenasMax = "2";

/**
 * glibc raises its limit for blocks of their own to the size of every such block that was freed, up to 32
 * MiB. After one large request body, later ones come from the arenas and stay there: 186 MiB after 75 bodies
 * of 18 to 36 MB. With a fixed limit they go back at once (44 MiB; with one of 8 MiB 148).
 */
const allocator = {
  MALLOC_ARENA_MAX: arenasMax,
  MALLOC_MMAP_THRESHOLD_: String(4 * 1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(64 * 1024 ** 2),
};

/**
 * V8 of Node 24 compiles the bridge from WebAssembly to a JavaScript function after 1,000 calls. With several
 * threads it at times frees such code twice and ends the process (`jit_page.has_value()` in
 * TierUpWasmToJSWrapper, nodejs/node#64500). Node removes the types of each module with WebAssembly, in each
 * thread. Other releases may not know the flag.
 */
const wrapperRelease = "24";

type Flag = { readonly name: string; readonly text: string };

const flagsOf = (release: string): readonly Flag[] => [
  { name: "max-semi-space-size", text: "--max-semi-space-size=8" },
  ...(release === wrapperRelease
    ? [{ name: "wasm-wrapper-tiering-budget", text: "--wasm-wrapper-tiering-budget=1000000000" }]
    : []),
];

/** The flags that `words`, the flags of this process, leave open. `release` is Node's major version. */
export const missingFlags = (words: readonly string[], release: string): readonly string[] =>
  flagsOf(release).flatMap(({ name, text }) => (words.some((word) => word.includes(name)) ? [] : [text]));

const release = process.versions.node.split(".")[0]!;

/**
 * How a process starts with the limits, so that it need not restart: its flags and its environment. Variables
 * that are set stay. The limits are those of glibc, so other platforms start without them.
 */
export const startWithLimits = (environment: NodeJS.ProcessEnv, words: readonly string[] = []) =>
  process.platform === "linux"
    ? {
        flags: missingFlags([...words, environment.NODE_OPTIONS ?? ""], release),
        environment: { ...allocator, ...environment },
        isLimited: environment.MALLOC_ARENA_MAX !== undefined,
      }
    : { flags: [], environment, isLimited: true };

/**
 * Restarts this process in place with the limits (same id, same files). Limits that the operator set stay.
 */
export const restartWithLimits = (): void => {
  const { flags, environment, isLimited } = startWithLimits(process.env, process.execArgv);
  if (process.execve === undefined || (flags.length === 0 && isLimited)) return;
  const program = [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)];
  process.execve(process.execPath, program, environment);
};
