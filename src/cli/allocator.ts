/**
 * Memory limits that a process can set only for its successor. glibc gives every thread its own arenas and
 * rarely returns their freed blocks; V8 lets the young generation grow to a hundred megabytes on large
 * machines (docs/decisions/0009).
 */
const arenasMax = "2";
const semiSpaceFlag = "--max-semi-space-size=8";

/**
 * Restarts this process in place with the limits (same id, same files). Limits that the operator set stay.
 */
export const limitAllocator = (): void => {
  if (process.platform !== "linux" || process.execve === undefined) {
    return;
  }
  const words = [...process.execArgv, process.env.NODE_OPTIONS ?? ""];
  const isHeapSet = words.some((word) => word.includes("--max-semi-space-size"));
  const areArenasSet = process.env.MALLOC_ARENA_MAX !== undefined;
  if (isHeapSet && areArenasSet) {
    return;
  }
  const flags = [...process.execArgv, ...(isHeapSet ? [] : [semiSpaceFlag])];
  const program = [process.execPath, ...flags, ...process.argv.slice(1)];
  process.execve(process.execPath, program, { MALLOC_ARENA_MAX: arenasMax, ...process.env });
};
