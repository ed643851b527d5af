type Values = Readonly<Record<string, unknown>>;

/** The settings that a kind of signer needs, and those that it may have. */
const settingsOf: Readonly<
  Record<string, { readonly needed: readonly string[]; readonly also: readonly string[] }>
> = {
  development: { needed: [], also: [] },
  none: { needed: [], also: [] },
  pkcs12: {
    needed: ["IDEM_SIGNER_FILE"],
    also: ["IDEM_SIGNER_PASSWORD", "IDEM_SIGNER_KEY", "IDEM_SIGNER_CERTIFICATES"],
  },
  pkcs11: {
    needed: ["IDEM_SIGNER_PKCS11_MODULE", "IDEM_SIGNER_PKCS11_PIN", "IDEM_SIGNER_KEY"],
    also: ["IDEM_SIGNER_PKCS11_TOKEN", "IDEM_SIGNER_CERTIFICATES"],
  },
  remote: {
    needed: ["IDEM_SIGNER_URL", "IDEM_SIGNER_CERTIFICATES"],
    also: ["IDEM_SIGNER_AUTHORIZATION", "IDEM_SIGNER_KEY"],
  },
};

const signerSettings = [
  ...new Set(Object.values(settingsOf).flatMap(({ needed, also }) => [...needed, ...also])),
];

/** The kind of signer: development signs by itself, production only with a signer that was named. */
export const signerKindOf = ({ IDEM_SIGNER: named, IDEM_MODE: mode }: Values): string =>
  typeof named === "string" ? named : mode === "production" ? "none" : "development";

/** Problems of the signer's settings, which depend on its kind. */
export const judgeSigner = (values: Values): readonly string[] => {
  const kind = signerKindOf(values);
  const { needed, also } = settingsOf[kind] ?? { needed: [], also: signerSettings };
  const missing = needed.filter((name) => values[name] === undefined);
  const idle = signerSettings.filter(
    (name) => values[name] !== undefined && !needed.includes(name) && !also.includes(name),
  );
  return [
    ...missing.map((name) => `${name} is not set. A signer of kind ${kind} needs it.`),
    ...idle.map(
      (name) =>
        `${name} is set, but a signer of kind ${kind} has no use for it. Change IDEM_SIGNER, or leave it out.`,
    ),
  ];
};

/** What production refuses: a signer or time-stamps that prove nothing to others. */
export const refuseDevelopmentSigner = (values: Values): readonly string[] => {
  const kind = signerKindOf(values);
  if (kind === "none") return [];
  const problems: string[] = [];
  if (kind === "development") {
    problems.push(
      "IDEM_SIGNER is development: such signatures prove nothing to others. Name a signer of your own, or none (docs/guides/integrate/signing.md).",
    );
  }
  if (values["IDEM_SIGNING_LEVEL"] !== "B-B" && values["IDEM_TIMESTAMP_URL"] === undefined) {
    problems.push(
      "IDEM_TIMESTAMP_URL is not set, and production does not stamp its own signatures. Name a time-stamping authority, or set IDEM_SIGNING_LEVEL=B-B.",
    );
  }
  return problems;
};
