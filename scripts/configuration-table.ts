import type { TSchema } from "typebox";
import { expectedOf } from "#machine/config/config";
import { variables } from "#machine/config/variables";

/** The text of docs/guides/operate/configuration.md. */
export const describeConfiguration = (): string => `# Configuration

Every setting is an environment variable; nothing else is read. \`idem doctor\` checks them. A wrong value stops the
start with a message: name, value and next step. A secret may also be given as \`NAME_FILE\`: the path of a file that
holds it. An empty variable counts as not set. An unknown \`IDEM_…\` variable is refused, since it is mostly a misspelling.
\`idem …\` on this page is \`./idem …\` in the folder of this repository.

| variable | value | default | meaning |
|---|---|---|---|
${Object.entries(variables.properties).map(row).join("\n")}

## Development and production

\`IDEM_MODE=development\`, the default, creates the missing parts: the data directory, a master key
(\`development-master.key\`), the deployment's token key, a test tenant and a test key, which is printed once and stored in
\`development-key\` for \`idem demo\`. Only their owner can read them.

\`IDEM_MODE=production\` refuses to start

- without \`IDEM_MASTER_KEY\`, or with the key of a development start;
- with the signer of the development authority, or with another signer but without a time-stamping authority, unless
  \`IDEM_SIGNING_LEVEL=B-B\`;
- with a secret that can be guessed: a master key of fewer than 16 different bytes (random ones have more), one with
  a pattern (it counts, repeats itself or is sorted) or of a typed text; an \`IDEM_METRICS_TOKEN\` of fewer than 16 characters,
  with a pattern, or of common words;
- on an address other than loopback without \`IDEM_BEHIND_TLS=true\`, because the service itself uses plain HTTP;
- on a data directory that still holds a development master key or a development key;
- with advisory liveness, that is without a trained model in the liveness slot, unless \`IDEM_ADVISORY_LIVENESS=accepted\`
  accepts it ([liveness](../understand/liveness.md) has its error rates).

In production, create a tenant's first key with \`idem keys create --tenant NAME --live --scopes A,B\`: name the scopes
(or \`all\`), and without \`--days\` the key expires after a year.

## Example

\`\`\`sh
export IDEM_MODE=production
export IDEM_DATA=/var/lib/idem
export IDEM_MASTER_KEY_FILE=/run/secrets/idem-master-key
export IDEM_DATABASE_URL_FILE=/run/secrets/idem-database-url
export IDEM_HOST=0.0.0.0 IDEM_BEHIND_TLS=true
idem models fetch minifasnet && idem models use minifasnet
\`\`\`
`;

const row = ([name, schema]: readonly [string, TSchema]): string => {
  const standard = "default" in schema ? `\`${String(schema.default)}\`` : "";
  const kind = "secret" in schema ? "a secret" : expectedOf(schema);
  const description = "description" in schema ? String(schema.description) : "";
  return `| \`${name}\` | ${kind} | ${standard} | ${description} |`;
};
