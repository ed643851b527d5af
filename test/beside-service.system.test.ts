import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Command } from "#cli/command";
import { commands } from "#cli/commands";
import type { ServiceProcess } from "#cli/kit/service/service-process";
import { persons } from "./harness/images.ts";
import { environmentOf, type Harness, makeHarness, program, type Run } from "./harness/service.ts";

/**
 * A command beside a running service: its words, what it says, and its exit code where that is not 0. `{…}`
 * stands for a file of the test, or for what an earlier command printed last.
 */
type Beside = {
  readonly words: string;
  readonly says: RegExp;
  readonly code?: number;
  /** Sent to stdin: the command runs as a process of its own. */
  readonly input?: string;
};

/** Why a command has nothing to do with the store of a running service. */
type Apart = { readonly apart: string };

const noStore = { apart: "it opens no store" } as const;
const overHttp = { apart: "it calls the running service over HTTP; each has a test with a service" } as const;
const ownService = { apart: "it runs a service of its own, in another directory" } as const;
const modelFiles = {
  apart: "it reads and writes model files, which the service reads at its start",
} as const;

/** Every command, in the order in which they run. Commands that end a thing come after those that use it. */
const table: Readonly<Record<string, Beside | Apart>> = {
  serve: { words: "serve", says: /is in use by process \d+/, code: 1 },
  doctor: { words: "doctor", says: /is served by this deployment/ },
  migrate: { words: "migrate", says: /The embedded store is up to date/ },
  "tenants list": { words: "tenants list", says: /Test tenant/ },
  "tenants set": { words: "tenants set {tenant} --default-country CHL", says: /has the default country CHL/ },
  "keys create": { words: "keys create --scopes face", says: /is not shown again/ },
  "keys import": {
    words: "keys import --scopes face --name imported",
    input: "Wq3tYz8LmN5pRs7uVx9aBc2d",
    says: /Imported key/,
  },
  "keys list": { words: "keys list", says: /imported/ },
  "keys renew": { words: "keys renew {keys import}", says: /is not shown again/ },
  "keys revoke": { words: "keys revoke {keys import}", says: /Revoked/ },
  "keys rotate": { words: "keys rotate", says: /Nothing was rotated: IDEM_MASTER_KEY is not set/, code: 1 },
  "tokens seal": { words: "tokens seal {selfie} --kind face-image", says: /^[\w+/=-]{100}/ },
  "tokens open": { words: "tokens open {none}", says: /cannot be read/, code: 1 },
  "tokens rotate": { words: "tokens rotate", says: /Running services publish it within two seconds/ },
  "users import": {
    words: "users import --csv {users} --environment test",
    input: "",
    says: /1 rows: 1 established/,
  },
  "users show": { words: "users show --user user-4711", says: /enabled/ },
  "users enable": { words: "users enable --user user-4711", says: /Enabled the test user/ },
  "users block": { words: "users block --user user-4711", says: /Blocked the face/ },
  "users blocked": { words: "users blocked", says: /in use/ },
  "users unblock": { words: "users unblock --id {users block}", says: /Unblocked the face/ },
  "document block": {
    words: "document block --country CHL --environment test",
    input: "A1234567\n",
    says: /^[\w-]{36}/,
  },
  "document blocked": { words: "document blocked", says: /test/ },
  "document unblock": { words: "document unblock --id {document block}", says: /./ },
  document: { apart: "it names its actions" },
  "document lint": noStore,
  "registry import": {
    words: "registry import {registry} --country ECU --test",
    says: /1 added/,
  },
  "registry list": { words: "registry list", says: /ECU +1/ },
  "registry check": {
    words: "registry check --country ECU --test --number 1710034065 --code V1234I1234",
    says: /IDEM_REGISTRIES names no registry of ECU/,
    code: 1,
  },
  "registry remove": {
    words: "registry remove --country ECU --test --number 1710034065",
    says: /Removed the person/,
  },
  "clearing credentials set": {
    words: "clearing credentials set --user entity --password-from CLEARING_PASSWORD",
    says: /ask for user and password from now on/,
  },
  "clearing credentials show": { words: "clearing credentials show", says: /entity/ },
  "clearing credentials remove": {
    words: "clearing credentials remove",
    says: /ask for key and token alone/,
  },
  "clearing code": noStore,
  "clearing callbacks": overHttp,
  "clearing transfer": overHttp,
  "clearing transfer list": overHttp,
  "clearing transfer show": overHttp,
  "clearing transfer resume": overHttp,
  "clearing transfer abandon": overHttp,
  "webhooks add": {
    words: "webhooks add --name console --url https://idem.invalid/hook --topics *",
    says: /whsec_/,
  },
  "webhooks list": { words: "webhooks list --json", says: /"id": "(?<last>[\w-]+)"/ },
  "webhooks show": { words: "webhooks show {webhooks list}", says: /idem\.invalid/ },
  "webhooks set": { words: "webhooks set {webhooks list} --timeout 5", says: /./ },
  "webhooks pause": { words: "webhooks pause {webhooks list}", says: /./ },
  "webhooks resume": { words: "webhooks resume {webhooks list}", says: /./ },
  "webhooks enable": { words: "webhooks enable {webhooks list}", says: /./ },
  "webhooks rotate-secret": { words: "webhooks rotate-secret {webhooks list}", says: /whsec_/ },
  "webhooks handshake": { words: "webhooks handshake {webhooks list}", says: /./, code: 1 },
  "webhooks deliveries": { words: "webhooks deliveries {webhooks list}", says: /There is no delivery/ },
  "webhooks replay": { words: "webhooks replay {webhooks list} --dry-run", says: /^0$/m },
  "webhooks remove": { words: "webhooks remove {webhooks list}", says: /./ },
  "models report": { words: "models report", says: /No model ran in shadow mode/ },
  replay: { words: "replay", says: /Nothing would change/ },
  "evidence verify": { words: "evidence verify", says: /Test tenant/ },
  "evidence export": { words: "evidence export --out {chain}", says: /./ },
  "evidence roots": noStore,
  export: { words: "export --since 2026-01-01 --format csv --out {decisions}", says: /./ },
  "backup key": { words: "backup key --out {secret}", says: /./ },
  backup: { words: "backup --out {backup} --recipient {secret}", says: /./ },
  restore: {
    words: "restore {backup} --key {secret} --to {data}",
    says: /is not empty|must be empty/,
    code: 1,
  },
  "backup signer": { words: "backup signer", says: /^[0-9a-f]{64}$/m },
  "store verify": { words: "store verify", says: /./ },
  "store repair": { words: "store repair --from {backup} --key {secret}", says: /./ },
  "rights verify": { words: "rights verify", says: /./ },
  "rights accept": { words: "rights accept tenants {none}", says: /./, code: 1 },
  "rights begin": { words: "rights begin", says: /is in use by process \d+/, code: 1 },
  "signer check": { words: "signer check", says: /signer/ },
  sign: noStore,
  extend: noStore,
  requests: overHttp,
  "events tail": overHttp,
  "events trigger": overHttp,
  listen: overHttp,
  "compare-services": overHttp,
  demo: ownService,
  "bench search": ownService,
  "bench documents": ownService,
  "bench store": ownService,
  "bench webhooks": ownService,
  "bench registry": ownService,
  "bench signing": ownService,
  bench: ownService,
  "sandbox persons": noStore,
  "sandbox document": noStore,
  sandbox: noStore,
  "models list": modelFiles,
  "models fetch": modelFiles,
  "models add": modelFiles,
  "models verify": modelFiles,
  "models use": modelFiles,
  "models shadow": modelFiles,
  "models measure": modelFiles,
  "models remove": modelFiles,
  verify: noStore,
  compare: noStore,
  read: noStore,
  liveness: noStore,
  "personas list": noStore,
  "personas download": noStore,
  "pep import": noStore,
  "completion bash": noStore,
  "completion zsh": noStore,
  "completion fish": noStore,
  "verify-pdf": noStore,
  "measure faces": noStore,
  "measure documents": noStore,
  "measure mrz": noStore,
  "measure location": noStore,
  "measure document-attacks": noStore,
  "measure liveness": noStore,
  "measure age": noStore,
  "train liveness": noStore,
  "train document-attacks": noStore,
  "cohort build": noStore,
  erase: { words: "erase --confirm {tenant}", says: /Destroyed [1-9]\d* data keys? of tenant/ },
};

/**
 * The words after `idem NAME` in the lines of usage, as the completion reads them; the command itself where a
 * line has none.
 */
const actionsIn = (help: string, path: string): readonly string[] =>
  [
    ...help.matchAll(
      new RegExp(`^(?:Usage: | +)idem ${path}(?: ([a-z][a-z-]*(?: \\| [a-z][a-z-]*)*)| |$)`, "gm"),
    ),
  ]
    .flatMap(([, words = ""]) => words.split(" | "))
    .map((word) => `${path} ${word}`.trim());

const leavesOf = async (
  path: string,
  { help, options, topics = {} }: Command,
): Promise<readonly string[]> => {
  if (options !== undefined && Object.keys(topics).length === 0) return [path];
  const below = await Promise.all(
    Object.entries(topics).map(async ([name, load]) => await leavesOf(`${path} ${name}`, await load())),
  );
  const topicPaths = Object.keys(topics).map((name) => `${path} ${name}`);
  const own = actionsIn(help, path).filter((leaf) => !topicPaths.includes(leaf));
  return [...below.flat(), ...own];
};

it("every command and each of its actions has an entry", async () => {
  const leaves = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => await leavesOf(name, await load())),
  );
  expect(Object.keys(table).toSorted()).toEqual([...new Set(leaves.flat())].toSorted());
});

describe("beside a running service, a command ends well, or with a sentence that states why not", () => {
  let harness: Harness;
  let service: ServiceProcess;
  let folder: string;
  const printed = new Map<string, string>();
  const outputs = new Map<string, string>();
  const environment = () => ({
    IDEM_DATA: harness.directory,
    IDEM_DATA_WAIT_MS: "0",
    IDEM_PORT: new URL(service.url).port,
    IDEM_LOG_LEVEL: "silent",
    IDEM_WORKERS: "1",
    CLEARING_PASSWORD: "a long password",
  });

  beforeAll(async () => {
    harness = await makeHarness();
    service = await harness.start();
    folder = await mkdtemp(join(tmpdir(), "idem-beside-"));
    await writeFile(join(folder, "selfie.jpg"), persons.selfie);
    await writeFile(join(folder, "users.csv"), "userId,image\nuser-4711,selfie.jpg\n");
    await writeFile(join(folder, "registry.csv"), "documentNumber,firstName\n1710034065,ANA\n");
    const files = { selfie: "selfie.jpg", users: "users.csv", registry: "registry.csv", none: "none" };
    const made = { chain: "chain.jsonl", decisions: "decisions.csv", secret: "secret.pem", backup: "backup" };
    for (const [name, file] of Object.entries({ ...files, ...made })) printed.set(name, join(folder, file));
    printed.set("data", harness.directory);
    printed.set("tenant", "Test tenant");
    for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await harness.clear();
    await rm(folder, { recursive: true });
  });

  const filled = (words: string): readonly string[] =>
    words
      .split(/ (?![^{]*\})/)
      .map((word) => word.replace(/\{(.*)\}/, (_, name: string) => printed.get(name) ?? `{${name}}`));

  /** Runs the command in this process, as `idem` finds it: a start of the program takes a second. */
  const runHere = async ([name = "", ...words]: readonly string[]): Promise<Run> => {
    const said = { stdout: "", stderr: "" };
    const spies = (["stdout", "stderr"] as const).map((stream) =>
      vi.spyOn(process[stream], "write").mockImplementation((text) => {
        said[stream] += typeof text === "string" ? text : Buffer.from(text).toString("utf8");
        return true;
      }),
    );
    try {
      let command = await commands[name]!.load();
      let args = words;
      for (let topic = command.topics?.[args[0] ?? ""]; topic !== undefined; ) {
        command = await topic();
        args = args.slice(1);
        topic = command.topics?.[args[0] ?? ""];
      }
      return { code: await command.run(args), ...said };
    } catch (error) {
      return { code: 1, ...said, stderr: `${said.stderr}${error instanceof Error ? error.message : ""}` };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  };

  const runApart = async (words: readonly string[], input: string): Promise<Run> => {
    const child = spawn(process.execPath, [program, ...words], { env: environmentOf(environment()) });
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (part) => void (said.stdout += String(part)));
    child.stderr.on("data", (part) => void (said.stderr += String(part)));
    child.stdin.end(input);
    await once(child, "close");
    return { code: child.exitCode ?? -1, ...said };
  };

  const entries = Object.entries(table).flatMap(([name, entry]) =>
    "apart" in entry ? [] : [{ name, ...entry }],
  );

  it.each(entries)("idem $name", async ({ name, words, says, code = 0, input }) => {
    const filledWords = filled(words);
    const run = await (input === undefined ? runHere(filledWords) : runApart(filledWords, input));
    const whole = `${run.stdout}${run.stderr}`;
    expect(run.code, whole).toBe(code);
    expect(whole).toMatch(says);
    expect(whole).not.toMatch(/^\s+at /m);
    if (!printed.has(name)) {
      printed.set(name, says.exec(whole)?.groups?.["last"] ?? run.stdout.trim().split("\n").at(-1) ?? "");
    }
    outputs.set(name, whole);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  });

  it("and its effects are in force in the service that runs: the new token key is published, the erased user is gone", async () => {
    const response = await fetch(`${service.url}/.well-known/idem-keys.json`);
    expect(await response.text()).toContain(/New key (\S+)\./.exec(outputs.get("tokens rotate") ?? "")?.[1]);
    const { stderr } = await runHere(["users", "show", "--user", "user-4711"]);
    expect(stderr).toContain("No such user is registered");
  });
});
