import type { Static } from "typebox";
import type { variables } from "./variables.ts";

type Variables = Static<typeof variables>;

const prefixes = ["IDEM_CLEARING", "IDEM_CLEARING_TEST"] as const;

/** The settings that an entity needs. */
const needed = ["URL", "BASIC", "INSTITUTION", "KEY"] as const;
/** Both or neither. */
const paired = ["USER", "PASSWORD"] as const;

/** Problems of the settings of an entity: they belong together. */
export const judgeClearingEntity = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  prefixes.flatMap((prefix) => {
    const has = (name: string): boolean => values[`${prefix}_${name}`] !== undefined;
    const isNamed = has("URL");
    const missing = isNamed ? needed.filter((name) => !has(name)) : [];
    const idle = isNamed ? [] : [...needed, ...paired].filter(has);
    const [user, password] = paired.map(has);
    return [
      ...missing.map(
        (name) => `${prefix}_${name} is not set. The clearing entity of ${prefix}_URL needs it.`,
      ),
      ...idle.map(
        (name) => `${prefix}_${name} is set, but ${prefix}_URL is not. Name the entity, or leave it out.`,
      ),
      ...(isNamed && user !== password
        ? [`${prefix}_USER and ${prefix}_PASSWORD belong together. Set both or neither.`]
        : []),
    ];
  });

/** A clearing entity, as one environment reaches it. Complete: incomplete settings are refused before. */
const entityOf = (values: Variables, prefix: (typeof prefixes)[number]) => {
  const url = values[`${prefix}_URL`];
  const [user, password] = [values[`${prefix}_USER`], values[`${prefix}_PASSWORD`]];
  return url === undefined
    ? undefined
    : {
        url,
        basic: values[`${prefix}_BASIC`] ?? "",
        institution: values[`${prefix}_INSTITUTION`] ?? "",
        certificateKey: values[`${prefix}_KEY`] ?? "",
        credentials: user === undefined || password === undefined ? undefined : { user, password },
      };
};

/** Verification tokens, and transfers through a clearing entity: undefined where an environment has none. */
export const mapClearing = (values: Variables) => ({
  tokenMs: values.IDEM_CLEARING_TOKEN_HOURS * 3_600_000,
  usesMax: values.IDEM_CLEARING_TOKEN_USES,
  assurance: values.IDEM_CLEARING_ASSURANCE,
  provider: values.IDEM_CLEARING_PROVIDER,
  entities: { live: entityOf(values, "IDEM_CLEARING"), test: entityOf(values, "IDEM_CLEARING_TEST") },
  verificationType: values.IDEM_CLEARING_VERIFICATION_TYPE,
  isRepeatable: values.IDEM_CLEARING_REPEATS,
  timeoutMs: values.IDEM_CLEARING_TIMEOUT_MS,
  transfersKeptMs: values.IDEM_CLEARING_TRANSFER_DAYS * 86_400_000,
});
