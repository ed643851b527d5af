import { Type } from "typebox";
import { number, secret, text } from "./variable-kinds.ts";

const entityOf = (keys: string) => ({
  url: text(
    `Base address of the clearing entity for ${keys}: calls go to its paths /tvi/…. Absent: no transfers with these keys (docs/guides/integrate/clearing.md).`,
    "an http or https URL without a slash at the end",
  ),
  basic: secret(
    `User name and password of Basic authorization at the clearing entity for ${keys}, as \`user:password\`.`,
    "a user name and a password with a colon between them",
  ),
  institution: text(`Code of your institution at the clearing entity (\`codigo_institucion\`) for ${keys}.`),
  key: secret(
    `API key with the scope certificate alone, which opens certificates for the clearing entity. Transfers are made for its tenant alone, with ${keys}.`,
  ),
  user: text(
    `User name of the certificate's credentials (\`url_usuario\`), as \`idem clearing credentials\` set it, for ${keys}.`,
  ),
  password: secret(
    `Password of the certificate's credentials (\`url_clave\`), as \`idem clearing credentials\` set it, for ${keys}.`,
  ),
});

const live = entityOf("live keys");
const test = entityOf("test keys");

/** Settings of transfers through a clearing entity. Live and test keys have entities of their own. */
export const clearingEntityVariables = {
  IDEM_CLEARING_URL: live.url,
  IDEM_CLEARING_BASIC: live.basic,
  IDEM_CLEARING_INSTITUTION: live.institution,
  IDEM_CLEARING_KEY: live.key,
  IDEM_CLEARING_USER: live.user,
  IDEM_CLEARING_PASSWORD: live.password,
  IDEM_CLEARING_TEST_URL: test.url,
  IDEM_CLEARING_TEST_BASIC: test.basic,
  IDEM_CLEARING_TEST_INSTITUTION: test.institution,
  IDEM_CLEARING_TEST_KEY: test.key,
  IDEM_CLEARING_TEST_USER: test.user,
  IDEM_CLEARING_TEST_PASSWORD: test.password,
  IDEM_CLEARING_VERIFICATION_TYPE: Type.String({
    minLength: 1,
    maxLength: 50,
    default: "FACIAL",
    description: "Kind of verification that the clearing entity receives (`tipo_verificacion`).",
  }),
  IDEM_CLEARING_REPEATS: Type.Boolean({
    default: false,
    description:
      "States that the clearing entity answers a second request with the same `codigo_verificacion` with the same ticket. Only then is a request whose answer was lost sent again. `false`: such a transfer waits for the operator.",
  }),
  IDEM_CLEARING_TIMEOUT_MS: number(
    1_000,
    120_000,
    30_000,
    "Longest time until the clearing entity answers. It opens the certificate meanwhile.",
  ),
  IDEM_CLEARING_TRANSFER_DAYS: number(
    1,
    36_500,
    1_825,
    "Days after its last change for which a settled transfer is kept, sealed. The default is five years (FATF Recommendation 11).",
  ),
};
