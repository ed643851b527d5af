/** `npm run test:attack`: attacks a running service. Prints the seed, and a line for each failing case. */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const help = `Usage: npm run test:attack -- [--seed N] [--minutes M | --cases N | --short] [--part PART] [-- VITEST OPTIONS]
       npm run test:attack -- --case KIND/SEED/NUMBER

Starts the service on an embedded store and attacks it: images, JSON, HTTP, tokens, keys, slow clients; requests generated
from api/openapi.yaml; several times its capacity. Without --minutes it takes some three minutes on two cores.

  --seed      seed of the generated cases; default: drawn, and printed
  --minutes   minutes of generated cases for each part
  --cases     generated cases for each kind of attack and each operation, in place of minutes
  --short     twenty-five generated cases of each, and six seconds of overload
  --part      attacks, specification or overload; default all
  --case      runs one case again, as a failing run printed it
  --path      with --part specification and --seed: the counterexample that a failing run printed`;

const parse = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: "string" },
        minutes: { type: "string" },
        cases: { type: "string" },
        short: { type: "boolean" },
        part: { type: "string" },
        case: { type: "string" },
        path: { type: "string" },
        help: { type: "boolean" },
      },
    });
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
};

const shapes: Readonly<Record<string, readonly [shape: RegExp, words: string]>> = {
  seed: [/^\d{1,9}$/, "a whole number up to 999999999"],
  minutes: [/^(\d{1,4}|\d{0,3}\.\d{1,3})$/, "a number of minutes"],
  cases: [/^[1-9]\d{0,6}$/, "a whole number from 1"],
  part: [/^(attacks|specification|overload)$/, "attacks, specification or overload"],
  case: [
    /^(images|json|http|tokens|keys)\/(fixed|\d+)\/\d+$/,
    "KIND/SEED/NUMBER or KIND/fixed/NUMBER, with images, json, http, tokens or keys as KIND",
  ],
  path: [/^[\d:]+$/, "a path of numbers, as a failing run printed it"],
};

/** What --short sets where --minutes and --cases do not. */
const shortForm = { ATTACK_MINUTES: "0.1", ATTACK_CASES: "25" } as const;

const faultIn = (values: Readonly<Record<string, unknown>>): string | undefined =>
  Object.entries(shapes)
    .filter(([name, [shape]]) => typeof values[name] === "string" && !shape.test(values[name]))
    .map(([name, [, words]]) => `--${name} is "${String(values[name])}". Set it to ${words}.`)[0] ??
  (values["case"] !== undefined && (values["part"] ?? "attacks") !== "attacks"
    ? "--case names a case of the part attacks. Leave out --part."
    : undefined);

const run = (part: string, environment: NodeJS.ProcessEnv, rest: readonly string[]): void => {
  const vitest = fileURLToPath(new URL("vitest.mjs", import.meta.resolve("vitest/package.json")));
  const config = fileURLToPath(new URL("../../vitest.attack.config.ts", import.meta.url));
  const child = spawn(process.execPath, [vitest, "run", "--config", config, part, ...rest], {
    env: { ...process.env, ...environment },
    stdio: "inherit",
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
  child.once("exit", (code) => {
    process.exitCode = code ?? 1;
  });
};

const main = (): void => {
  const parsed = parse();
  const fault = "fault" in parsed ? parsed.fault : faultIn(parsed.values);
  if (fault !== undefined || "fault" in parsed) {
    console.error(`${fault}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  const { values, positionals } = parsed;
  if (values.help === true) {
    console.log(help);
    return;
  }
  const seed =
    values.seed ?? values.case?.split("/")[1]?.replace("fixed", "1") ?? String(randomInt(1_000_000));
  console.log(`Seed ${seed}: repeat with npm run test:attack -- --seed ${seed}`);
  const environment = {
    ATTACK_SEED: seed,
    ...(values.short === true && shortForm),
    ...(values.minutes !== undefined && { ATTACK_MINUTES: values.minutes }),
    ...(values.cases !== undefined && { ATTACK_CASES: values.cases }),
    ...(values.case !== undefined && { ATTACK_CASE: values.case }),
    ...(values.path !== undefined && { ATTACK_PATH: values.path }),
  };
  const part = values.part ?? (values.case === undefined ? "" : "attacks");
  run(part === "" ? ".attack." : `${part}.attack.`, environment, positionals);
};

main();
