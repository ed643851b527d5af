import { openBundleMaker } from "#app/evidence-bundle-command";
import { Failure } from "#contract/failure";
import { readConfig } from "#machine/config/config";
import { CommandError, opening, print, UsageError } from "../command.ts";
import { findDeployment } from "../kit/store/deployment.ts";
import { findTenant } from "../kit/store/tenant.ts";
import { writeOutFile } from "../kit/write-out-file.ts";

type Asked = {
  readonly operation: string;
  readonly out: string;
  readonly tenant?: string | undefined;
  readonly environment: string;
  readonly images: boolean;
  readonly anyway: boolean;
  readonly json: boolean;
};

/** Writes the bundle of an operation to a file. Returns the exit code. */
export const exportBundleFile = async (asked: Asked): Promise<number> => {
  const { operation, out, images: withImages, anyway } = asked;
  const environment = environmentOf(asked.environment);
  const config = await findDeployment(readConfig());
  const { store, make, close } = await opening(openBundleMaker(config));
  try {
    const { id: tenantId, name: tenantName } = await findTenant(store, asked.tenant);
    const owner = { tenantId, tenantName, environment };
    const made = await make({ owner, operation, at: new Date(), withImages, anyway }).catch(explain(asked));
    await writeOutFile(out, made.parts);
    const { bytes, sha256, level, content } = made;
    const faults = content.faults.map(({ place, finding }) => `${place}: ${finding}`);
    if (asked.json) print(JSON.stringify({ bytes, sha256, level, faults, file: out }));
    else {
      faults.forEach((fault) => print(`fault: ${fault}`));
      print(`Evidence of ${operation}, ${level}, ${bytes} bytes, SHA-256 ${sha256}, written to ${out}`);
    }
    return faults.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
};

const environmentOf = (text: string): "live" | "test" => {
  if (text === "live" || text === "test") return text;
  throw new UsageError(`--environment is ${JSON.stringify(text)}. Set it to live or test.`);
};

/** Failures in words of the command. */
const explain =
  ({ operation, environment }: Asked) =>
  (error: unknown): never => {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "not_found") {
      const other = environment === "live" ? "test" : "live";
      throw new CommandError(
        `No operation ${JSON.stringify(operation)} in the environment ${environment}. Was it called with a ${other} key? Set --environment ${other}.`,
      );
    }
    if (error.code === "evidence_damaged") {
      const { faults = [] } = error.facts;
      const named = typeof faults === "object" ? faults.join("\n") : String(faults);
      throw new CommandError(`${error.message}. --anyway writes a bundle that states it:\n${named}`);
    }
    throw new CommandError(`${error.message} (${JSON.stringify(error.facts)}).`);
  };
