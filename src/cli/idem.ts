#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { restartWithLimits } from "./start-flags.ts";

/**
 * Node keeps the compiled modules beside the packages: a later start takes a second less CPU time. A folder
 * that cannot be written costs only that second. Threads and the restarted process read the setting from the
 * environment.
 */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("../../node_modules/.cache/idem", import.meta.url));

/**
 * Exit code of a program whose reader has gone, the same as that of a program that SIGPIPE ended: 128 + 13.
 */
const readerLeft = 141;

// `idem … | head`: Node ignores SIGPIPE, and its error would be shown as a defect.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(readerLeft);
  throw error;
});

if (process.argv[2] === "serve") {
  restartWithLimits(); // restarts the process: before the command and its modules are loaded
}
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const { runCommand } = await import("./run.ts"); // after the cache is on: Node keeps these modules too
// Ends the process even if a failed start left a thread alive; files and pipes are written by then (POSIX:
// synchronous).
process.exit(await runCommand(process.argv.slice(2)));
