/**
 * Limits on memory that a process can set only for its successor. glibc gives every thread arenas of its own, and
 * blocks freed there are rarely returned; V8 lets the young generation grow to a hundred megabytes on large machines
 * (docs/decisions/0009).
 */
const arenasMax = "2";
const semiSpaceFlag = "--max-semi-space-size=8";

/** Replaces this process by itself under the limits (same id, same files); what somebody has set himself is left alone. */
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
