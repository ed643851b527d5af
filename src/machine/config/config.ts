import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { type Static, type TSchema, Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { itemsOf } from "./comma-list.ts";
import { judgeAuthorities } from "./judge-authorities.ts";
import { judgeSigner, refuseDevelopmentSigner } from "./judge-signing.ts";
import { judgeClearingEntity } from "./map-clearing.ts";
import { mapVariables } from "./map-variables.ts";
import { developmentKeyPrefix, parseMasterKey } from "./master-key.ts";
import { namesInWords, nearestNames, seenAs } from "./messages.ts";
import { itemShapes, shapes } from "./shapes.ts";
import { variables } from "./variables.ts";

type Variables = Static<typeof variables>;

/** Wrong configuration: lists all problems, each with the variable, its value and the next step. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

export type Config = ReturnType<typeof mapVariables>;

/**
 * Reads and checks the environment. Fails with `ConfigError`; no message holds the value of a secret.
 *
 * @example
 * ```ts
 * import { readConfig } from "#machine/config/config";
 *
 * const config = readConfig({ IDEM_MODE: "development", IDEM_DATA: "./data" });
 * console.log(config.mode);
 * ```
 */
export const readConfig = (environment: NodeJS.ProcessEnv = process.env): Config => {
  const { values, problems } = collect(environment);
  if (problems.length > 0 || !known.Check(values)) {
    throw new ConfigError(problems);
  }
  const config = mapVariables(values);
  const refusals = config.mode === "production" ? [...refuseDevelopment(values), ...config.weakSecrets] : [];
  if (refusals.length > 0) {
    throw new ConfigError(refusals);
  }
  return config;
};

/** The current settings, one pair per variable, in the schema's order; secrets only as "set" or "not set". */
export const summariseConfig = (
  environment: NodeJS.ProcessEnv = process.env,
): readonly (readonly [variable: string, value: string])[] => {
  const { values } = collect(environment);
  return Object.entries(variables.properties).map(([name, schema]) => {
    const value = values[name];
    return [name, isSecret(schema) ? (value === undefined ? "not set" : "set") : plain(value)];
  });
};

const plain = (value: unknown): string => (value === undefined ? "not set" : JSON.stringify(value));

const known = makeCheck(variables);

const collect = (environment: NodeJS.ProcessEnv) => {
  const values: Record<string, unknown> = {};
  const problems = Object.keys(environment).flatMap(judgeName);
  for (const [name, schema] of Object.entries(variables.properties)) {
    const seen = readOne(environment, name, schema, problems);
    const value = seen === undefined ? standardOf(schema) : convert(schema, seen);
    if (value === undefined) {
      continue;
    }
    values[name] = value;
    const isRight = makeCheck(schema).Check(value) && shapes[name]?.(String(value)) !== false;
    const fault = isRight ? faultOfItems(name, value) : `is ${seenAs(seen ?? "", isSecret(schema))}`;
    if (fault !== undefined) problems.push(`${name} ${fault}. Set it to ${expectedOf(schema)}.`);
  }
  for (const name of ["IDEM_MASTER_KEY", "IDEM_MASTER_KEY_PREVIOUS"]) {
    const value = values[name];
    if (typeof value === "string" && parseMasterKey(value) === undefined) {
      problems.push(
        `${name} is ${seenAs(value, true)}. Set it to 32 bytes in Base64: openssl rand -base64 32`,
      );
    }
  }
  return { values, problems: [...problems, ...judgeTogether(values)] };
};

/** What is wrong in a comma-separated value, in words; undefined for a right one and for any other value. */
const faultOfItems = (name: string, value: unknown): string | undefined => {
  const isItem = itemShapes[name];
  if (isItem === undefined || typeof value !== "string") return undefined;
  const wrong = itemsOf(value).find((item) => !isItem(item));
  if (wrong === undefined) return undefined;
  return wrong === "" ? "has an empty item: a comma too many" : `has the item ${seenAs(wrong, false)}`;
};

/** Problems of variables that depend on each other. */
const judgeTogether = (values: Readonly<Record<string, unknown>>): readonly string[] => {
  const problems: string[] = [];
  const { IDEM_S3_ACCESS_KEY_ID: id, IDEM_S3_SECRET_ACCESS_KEY: secret } = values;
  if ((id === undefined) !== (secret === undefined)) {
    problems.push(
      "IDEM_S3_ACCESS_KEY_ID and IDEM_S3_SECRET_ACCESS_KEY belong together. Set both or neither.",
    );
  }
  if (values["IDEM_S3_BUCKET"] === undefined) {
    const set = bucketOnly.filter((name) => values[name] !== undefined);
    problems.push(
      ...set.map((name) => `${name} is set, but IDEM_S3_BUCKET is not. Name the bucket, or leave it out.`),
    );
  }
  const isLocal = values["IDEM_MORPHOLOGY"] === "local";
  const amiss = providerOnly.filter((name) => (values[name] !== undefined) === isLocal);
  problems.push(
    ...amiss.map((name) =>
      isLocal
        ? `${name} is set, but IDEM_MORPHOLOGY is local. Name the provider, or leave it out.`
        : `${name} is not set. IDEM_MORPHOLOGY names a provider that needs it.`,
    ),
  );
  const { IDEM_BODY_BYTES_MAX: body, IDEM_IMAGE_BYTES_MAX: image } = values;
  if (typeof body === "number" && typeof image === "number" && body < (8 / 3) * image) {
    problems.push(
      "IDEM_BODY_BYTES_MAX is too small for two images of IDEM_IMAGE_BYTES_MAX in Base64. Raise it, or lower the other.",
    );
  }
  return [
    ...problems,
    ...judgeAuthorities(values),
    ...judgeClearingEntity(values),
    ...judgeBudgets(values),
    ...judgeRetention(values),
    ...judgeSigner(values),
  ];
};

/**
 * The record of a call shows that it was carried out. Without it a retry would run again, so it must outlive
 * the key of the retry, which is remembered from a later moment on.
 */
const judgeRetention = (values: Readonly<Record<string, unknown>>): readonly string[] => {
  const minutesOf = (name: string, minutes: number): number => Number(values[name] ?? Number.NaN) * minutes;
  const recordMinutes = minutesOf("IDEM_TRANSACTION_DAYS", 24 * 60);
  const units = { IDEM_IDEMPOTENCY_HOURS: 60, IDEM_MERCHANT_REFERENCE_MINUTES: 1 };
  return Object.entries(units)
    .filter(([name, minutes]) => recordMinutes > 0 && recordMinutes <= minutesOf(name, minutes))
    .map(([name]) => `IDEM_TRANSACTION_DAYS is not longer than ${name}. Raise it, or lower the other.`);
};

/** A budget of bodies in flight must hold the largest body, or that body would be refused for ever. */
const judgeBudgets = (values: Readonly<Record<string, unknown>>): readonly string[] => {
  const {
    IDEM_BODY_BYTES_MAX: body,
    IDEM_BODIES_IN_FLIGHT_BYTES: all,
    IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY: perKey,
  } = values;
  if (typeof body !== "number" || typeof all !== "number" || typeof perKey !== "number") return [];
  return [
    ...(perKey < body
      ? [
          "IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY is less than IDEM_BODY_BYTES_MAX. Raise it, or lower the other.",
        ]
      : []),
    ...(all < perKey
      ? [
          "IDEM_BODIES_IN_FLIGHT_BYTES is less than IDEM_BODIES_IN_FLIGHT_BYTES_PER_KEY. Raise it, or lower the other.",
        ]
      : []),
  ];
};

/** Settings without effect unless a bucket is set: blobs would silently go to the disk. */
const bucketOnly = [
  "IDEM_S3_ENDPOINT",
  "IDEM_S3_PREFIX",
  "IDEM_S3_ACCESS_KEY_ID",
  "IDEM_S3_SECRET_ACCESS_KEY",
] as const;

/** Settings that only a document provider needs. */
const providerOnly = ["IDEM_MORPHOLOGY_URL", "IDEM_MORPHOLOGY_KEY", "IDEM_MORPHOLOGY_SECRET"] as const;

/**
 * Refuses unknown names: a misspelt variable would silently use the default. `IDEM_TEST_…` belongs to the
 * project's own tests.
 */
const judgeName = (name: string): readonly string[] => {
  const isOurs = name.startsWith("IDEM_") && !name.startsWith("IDEM_TEST_");
  if (!isOurs || names.has(name)) {
    return [];
  }
  const nearest = nearestNames(name, names);
  const advice =
    nearest.length === 0
      ? "See docs/guides/operate/configuration.md."
      : `Did you mean ${namesInWords(nearest)}, or is it left over?`;
  return [`${name} is not a variable of this service. ${advice}`];
};

const readOne = (environment: NodeJS.ProcessEnv, name: string, schema: TSchema, problems: string[]) => {
  const direct = environment[name] === "" ? undefined : environment[name];
  const path = isSecret(schema) ? environment[`${name}_FILE`] : undefined;
  if (path === undefined || path === "") return direct;
  if (direct !== undefined) {
    problems.push(`${name} and ${name}_FILE are both set. Leave one of them out.`);
    return direct;
  }
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    problems.push(
      `${name}_FILE names a file that cannot be read: ${path} (${code}). Check that it exists and that this user may read it.`,
    );
    return undefined;
  }
};

const convert = (schema: TSchema, seen: string): unknown => {
  if (Type.IsInteger(schema)) {
    return /^-?\d{1,15}$/.test(seen) ? Number(seen) : seen;
  }
  if (Type.IsBoolean(schema)) {
    return seen === "true" ? true : seen === "false" ? false : seen;
  }
  return seen;
};

const isSecret = (schema: TSchema): boolean => "secret" in schema && schema.secret === true;

const standardOf = (schema: TSchema): unknown => ("default" in schema ? schema.default : undefined);

const names = new Set(
  Object.entries(variables.properties).flatMap(([name, schema]) =>
    isSecret(schema) ? [name, `${name}_FILE`] : [name],
  ),
);

/** The accepted values of a schema, in words. */
export const expectedOf = (schema: TSchema): string => {
  if (Type.IsInteger(schema)) {
    return `a whole number from ${bound(schema, "minimum")} to ${bound(schema, "maximum")}`;
  }
  if (Type.IsBoolean(schema)) {
    return "true or false";
  }
  if (Type.IsEnum(schema)) {
    return `one of ${schema.enum.join(", ")}`;
  }
  return "shape" in schema && typeof schema.shape === "string" ? schema.shape : "a text";
};

const bound = (schema: object, name: "minimum" | "maximum"): string =>
  String(new Map(Object.entries(schema)).get(name));

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

const refuseDevelopment = (values: Variables): readonly string[] => {
  const problems: string[] = [];
  if (values.IDEM_MASTER_KEY === undefined) {
    problems.push("IDEM_MASTER_KEY is not set. Production creates none by itself: openssl rand -base64 32");
  }
  for (const name of ["IDEM_MASTER_KEY", "IDEM_MASTER_KEY_PREVIOUS"] as const) {
    if (values[name]?.startsWith(developmentKeyPrefix) === true) {
      problems.push(`${name} is a development key. Create one for production: openssl rand -base64 32`);
    }
  }
  if (!isLoopback(values.IDEM_HOST) && !values.IDEM_BEHIND_TLS) {
    problems.push(
      "IDEM_HOST is not a loopback address, and this service speaks plain HTTP. Put a TLS proxy in front and set IDEM_BEHIND_TLS=true.",
    );
  }
  return [...problems, ...refuseDevelopmentSigner(values)];
};
