/**
 * Limits on memory that a process can set only for its successor. glibc gives every thread arenas of its own, and
 * blocks freed there are rarely returned; V8 lets the young generation grow to a hundred megabytes on large machines
 * (docs/decisions/0009).
 */
const arenasMax = "2";
const semiSpaceFlag = "--max-semi-space-size=8";

/** Replaces this process by itself under the limits (same id, same files), unless they hold or somebody set others. */
export const limitAllocator = (): void => {
  const isLimited = process.env.MALLOC_ARENA_MAX !== undefined;
  if (process.platform !== "linux" || process.execve === undefined || isLimited) {
    return;
  }
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, semiSpaceFlag, ...process.argv.slice(1)],
    { ...process.env, MALLOC_ARENA_MAX: arenasMax },
  );
};
