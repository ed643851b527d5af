/** The files with which a service reaches the sandbox. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "yaml";
import { sandboxUser } from "./credentials.ts";
import { oauthName } from "./oauth.ts";
import type { RegistryForm } from "./registries/registry-form.ts";
import { registryForms } from "./registries/registry-simulator.ts";
import { clearingName, type Sandbox, timeStampsName } from "./sandbox.ts";

export type SandboxFiles = {
  /** The settings of the seven registries. */
  readonly registries: string;
  /** Lines `NAME=value`, for `node --env-file`. */
  readonly environment: string;
  /** The same as values. */
  readonly variables: Readonly<Record<string, string>>;
};

export type WrittenSecrets = {
  /** PEM text of the root of the time-stamp authority. */
  readonly timeStampRoot: string;
  /** The test key with which the clearing entity opens certificates. */
  readonly certificateKey: string;
};

/**
 * Writes `registries.yaml`, `sandbox.env` and the secrets into a folder, over the files of an earlier
 * sandbox. Only their owner may read the secrets. The registries are in the section `test`, so a live key
 * reaches none of them.
 */
export const writeSandboxFiles = async (
  folder: string,
  sandbox: Sandbox,
  { timeStampRoot, certificateKey }: WrittenSecrets,
): Promise<SandboxFiles> => {
  const secrets = join(folder, "secrets");
  await mkdir(secrets, { recursive: true, mode: 0o700 });
  for (const name of [...registryForms.map((form) => form.name), oauthName]) {
    await write(join(secrets, name), sandbox.secrets.ofRegistry(name));
  }
  const root = await write(join(folder, "time-stamp-root.pem"), timeStampRoot);
  const test = Object.fromEntries(
    registryForms.map((form) => [form.country, connectorOf(form, sandbox, secrets)]),
  );
  const registries = await write(join(folder, "registries.yaml"), stringify({ test }, { lineWidth: 0 }));
  const variables = {
    IDEM_DATA: join(folder, "data"),
    IDEM_REGISTRIES: registries,
    IDEM_EGRESS_ALLOW: "127.0.0.1/32",
    IDEM_TEST_RECEIVERS: "127.0.0.1",
    IDEM_TIMESTAMP_URL: `${sandbox.urlOf(timeStampsName)}/tsr`,
    IDEM_TIMESTAMP_CA: root,
    ...clearingVariables(sandbox, certificateKey),
  };
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const environment = await write(join(folder, "sandbox.env"), `${lines.join("\n")}\n`);
  return { registries, environment, variables };
};

const clearingVariables = (sandbox: Sandbox, certificateKey: string): Readonly<Record<string, string>> =>
  sandbox.simulators.some(({ name }) => name === clearingName)
    ? {
        IDEM_CLEARING_TEST_URL: sandbox.urlOf(clearingName),
        IDEM_CLEARING_TEST_BASIC: sandbox.clearingBasic,
        IDEM_CLEARING_TEST_INSTITUTION: sandboxInstitution,
        IDEM_CLEARING_TEST_KEY: certificateKey,
      }
    : {};

/** For its owner alone. */
const write = async (path: string, text: string): Promise<string> => {
  await writeFile(path, text, { mode: 0o600 });
  // The mode of writeFile holds for a new file alone.
  await chmod(path, 0o600);
  return path;
};

/** The institution under which the sandbox's service asks the clearing entity. */
const sandboxInstitution = "1035";

/**
 * The settings of one registry (docs/guides/integrate/civil-registries.md). Each query is a reading: it may
 * be sent again.
 */
const connectorOf = (form: RegistryForm, sandbox: Sandbox, secrets: string) => ({
  connector: "gateway",
  legalBasis: "Sandbox: generated persons, no query of a registry",
  timeoutMs: 8000,
  request: {
    method: form.request.method,
    url: sandbox.urlOf(form.name) + form.request.path,
    ...(form.request.body === undefined ? {} : { body: form.request.body }),
    isIdempotent: true,
  },
  auth: authOf(form, sandbox, secrets),
  answer: { unknown: form.unknownRule, fields: form.fields },
});

const authOf = ({ name, auth }: RegistryForm, sandbox: Sandbox, secrets: string) => {
  const secretFile = join(secrets, name);
  if (auth.kind === "key") return { kind: "key", header: auth.header, secretFile };
  if (auth.kind === "basic") return { kind: "basic", user: sandboxUser, passwordFile: secretFile };
  return {
    kind: "oauth2",
    tokenUrl: `${sandbox.urlOf(oauthName)}/token`,
    clientId: sandboxUser,
    clientSecretFile: join(secrets, oauthName),
  };
};
