// Starts the service of an assembled tree (scripts/assemble.sh) and runs the cases of the demo against it: an
// onboarding over HTTP for each, compared with what it must decide. Images and client are those of this
// checkout.
//   node scripts/try-tree.ts DIR
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { findMistakes } from "#cli/demo/demo";
import { makeClient } from "#cli/kit/service/client";
import { onboard } from "#cli/kit/service/onboarding";
import { fetchPublishedKeys } from "#cli/kit/service/published-keys";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makeCases } from "#sandbox/specimen/demo-cases";
import { readPersons } from "#sandbox/specimen/persons";
import { endWithHelp } from "./help.ts";

endWithHelp(import.meta.filename);

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the tree: node scripts/try-tree.ts DIR");
const tree = resolve(folder);
const ownNode = join(tree, "node_modules", ".bin", "node");
const data = await mkdtemp(join(tmpdir(), "idem-tree-"));

const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("IDEM_"));
const service = spawn(
  existsSync(ownNode) ? ownNode : process.execPath,
  [join(tree, "src/cli/idem.ts"), "serve"],
  {
    cwd: tree,
    env: {
      ...Object.fromEntries(inherited),
      IDEM_DATA: join(data, "store"),
      IDEM_PORT: "0",
      IDEM_LOG_LEVEL: "error",
    },
    stdio: ["ignore", "inherit", "pipe"],
  },
);

/** Rejects where the service ends before it is ready. */
const untilReady = async (): Promise<string> => {
  for await (const line of createInterface({ input: service.stderr })) {
    const address = /^Idem is ready at (\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The service of ${tree} ended before it was ready`);
};

/** Lines of what is not as it must be. */
const tryService = async (url: string): Promise<readonly string[]> => {
  const key = (await readFile(join(data, "store", "development-key"), "utf8")).trim();
  const client = makeClient(url, key);
  const keys = await fetchPublishedKeys(url);
  const cases = await makeCases(
    makeImaging({ limits: defaultImagingLimits }),
    await readPersons(),
    new Date(),
  );
  const mistakes: string[] = [];
  for (const one of cases) {
    const found = findMistakes(one, await onboard(client, keys, one));
    process.stdout.write(`${one.name}: ${found.length === 0 ? "as expected" : found.join(", ")}\n`);
    mistakes.push(...found.map((mistake) => `${one.name}: ${mistake}`));
  }
  const reader = await fetch(`${url}/docs/reader.js`);
  const length = (await reader.text()).length;
  if (!reader.ok || length < 1_000_000) mistakes.push(`the docs reader has ${length} characters`);
  return mistakes;
};

try {
  const mistakes = await tryService(await untilReady());
  if (mistakes.length > 0) process.stderr.write(`Not as it must be: ${mistakes.join(", ")}\n`);
  process.exitCode = mistakes.length === 0 ? 0 : 1;
} finally {
  service.kill("SIGKILL");
  await rm(data, { recursive: true, force: true });
}
