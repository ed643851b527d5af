import { type Models, openModels } from "#app/models";
import { explainDirectory } from "#app/storage-errors";
import { readConfig } from "#machine/config/config";
import { CommandError, type Run, wrongAction } from "../command.ts";

type Verb = (models: Models, args: readonly string[]) => Promise<number>;

/** Each action loads what it needs: measurements and reports need most of the program. */
const verbs: Readonly<Record<string, () => Promise<Verb>>> = {
  list: async () => (await import("./list.ts")).listModels,
  fetch: async () => (await import("./take.ts")).fetchModels,
  add: async () => (await import("./take.ts")).addModel,
  verify: async () => (await import("./list.ts")).verifyModels,
  use: async () => (await import("./use.ts")).useModel,
  shadow: async () => (await import("./use.ts")).shadowModel,
  measure: async () => (await import("./measure.ts")).measureModel,
  report: async () => {
    const { reportModels } = await import("./report.ts");
    return async (_models, args) => await reportModels(args);
  },
  remove: async () => (await import("./use.ts")).removeModel,
};

export const runModels: Run = async (args) => {
  const [verb, ...rest] = args;
  const load = verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (load === undefined) {
    throw wrongAction("models", verb, Object.keys(verbs));
  }
  const run = await load();
  const config = readConfig();
  return await run(openModels(config), rest).catch((error: unknown) => {
    throw explain(error, config.dataDirectory);
  });
};

/** Errors of the disk are expected: they appear without a stack. */
const explain = (error: unknown, directory: string): unknown => {
  const isOfDisk = error instanceof Error && "syscall" in error && "code" in error;
  return isOfDisk ? new CommandError(explainDirectory(error, directory).message, { cause: error }) : error;
};
