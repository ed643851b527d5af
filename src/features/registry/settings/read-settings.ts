import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseDocument } from "yaml";
import { registryCountries } from "#contract/country";
import type { JudgeUrl } from "#machine/egress/egress";
import { isRegistryCountry } from "../countries/countries.ts";
import type { Environment, RegistryCountry } from "../registry.ts";
import { readAnswerRules } from "./read-answer.ts";
import { readAuth, readTls } from "./read-auth.ts";
import { readRequest } from "./read-request.ts";
import { checked, escaped, type Reading } from "./reading.ts";
import type { CountrySettings, GatewaySettings, RegistrySettings } from "./settings.ts";
import { bytesMaxDefault, shapes, timeoutMsDefault } from "./settings-schema.ts";

/** Seven countries in two environments with long value maps need less. */
const fileBytesMax = 1_000_000;

/**
 * Reads the settings file of civil registries with the secrets that it names. Throws Error with every
 * problem, each with its place; no message holds a secret.
 */
export const readRegistrySettings = (path: string, judgeUrl: JudgeUrl): RegistrySettings => {
  const problems: string[] = [];
  const reading = { folder: dirname(resolve(path)), judgeUrl, problems };
  const settings = readAll(reading, readYaml(path));
  if (problems.length > 0) {
    throw new Error(
      [
        `${path} cannot be used (docs/guides/integrate/civil-registries.md):`,
        ...problems.map((one) => `  ${one}`),
      ].join("\n"),
    );
  }
  return settings;
};

const readYaml = (path: string): unknown => {
  try {
    if (statSync(path).size > fileBytesMax) throw new Error(`has more than ${fileBytesMax} bytes`);
    return parseYaml(readFileSync(path, "utf8")) ?? {};
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} cannot be read as YAML: ${reason}`, { cause });
  }
};

/**
 * Aliases are refused, because a few bytes of nested aliases expand to gigabytes. The own messages of the
 * parser quote lines of the file, which may hold a secret, so its errors are replaced.
 */
const parseYaml = (text: string): unknown => {
  const document = parseDocument(text, { logLevel: "error" });
  const [error] = document.errors;
  if (error !== undefined) throw new Error(`${error.code} in line ${error.linePos?.[0].line ?? 1}`);
  return document.toJS({ maxAliasCount: 0 });
};

const readAll = (reading: Reading, value: unknown): RegistrySettings => {
  const file = checked(reading, shapes.file, "", value) ?? {};
  const of = (environment: Environment) =>
    readEnvironment(reading, `/${environment}`, file[environment] ?? {});
  return { live: of("live"), test: of("test") };
};

const readEnvironment = (reading: Reading, place: string, value: unknown): RegistrySettings[Environment] => {
  const countries: Partial<Record<RegistryCountry, CountrySettings>> = {};
  for (const [name, one] of Object.entries(checked(reading, shapes.countries, place, value) ?? {})) {
    const at = `${place}/${escaped(name)}`;
    if (!isRegistryCountry(name)) {
      reading.problems.push(`${at}: must be one of ${registryCountries.join(", ")}`);
      continue;
    }
    const settings = readCountry(reading, at, one);
    if (settings !== undefined) countries[name] = settings;
  }
  return countries;
};

const readCountry = (reading: Reading, place: string, value: unknown): CountrySettings | undefined => {
  const kind = checked(reading, shapes.connector, place, value)?.connector;
  if (kind === undefined) return undefined;
  return kind === "local" ? checked(reading, shapes.local, place, value) : readGateway(reading, place, value);
};

const readGateway = (reading: Reading, place: string, value: unknown): GatewaySettings | undefined => {
  const raw = checked(reading, shapes.gateway, place, value);
  if (raw === undefined) return undefined;
  const request = readRequest(reading, `${place}/request`, raw.request);
  const answer = readAnswerRules(reading, `${place}/answer`, raw.answer);
  const auth = readAuth(reading, `${place}/auth`, raw.auth);
  const tls = raw.tls === undefined ? undefined : readTls(reading, `${place}/tls`, raw.tls);
  if (raw.tls !== undefined && raw.request.url.startsWith("http:")) {
    reading.problems.push(`${place}/tls: a client certificate needs a URL that begins with https:`);
  }
  if (request === undefined || answer === undefined || auth === undefined) return undefined;
  const { connector, legalBasis, timeoutMs = timeoutMsDefault, bytesMax = bytesMaxDefault } = raw;
  return { connector, legalBasis, timeoutMs, bytesMax, request, auth, answer, ...(tls && { tls }) };
};
