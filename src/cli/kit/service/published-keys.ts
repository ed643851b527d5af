import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { PublishedKeys } from "#trust/tokens/seal";
import { CommandError, UsageError } from "../../command.ts";

const publishedKeys = makeCheck(
  Type.Object({
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal("EC"),
        crv: Type.Literal("P-256"),
        x: Type.String(),
        y: Type.String(),
        kid: Type.String(),
        use: Type.Literal("enc"),
      }),
    ),
  }),
);

/**
 * The public keys of a running service. Throws CommandError where no service, or another program, answers.
 */
export const fetchPublishedKeys = async (url: string): Promise<PublishedKeys> => {
  if (!URL.canParse(url) || !/^https?:/.test(url)) {
    throw new UsageError(`--url is ${JSON.stringify(url)}. Use an address such as http://127.0.0.1:8080.`);
  }
  const response = await fetch(`${url.replace(/\/+$/, "")}/.well-known/idem-keys.json`, {
    signal: AbortSignal.timeout(answerMsMax),
  }).catch((error: unknown) => {
    throw new CommandError(`${url} does not answer. Start the service, or correct --url.`, { cause: error });
  });
  const keys: unknown = await response.json().catch(() => undefined);
  if (!publishedKeys.Check(keys)) {
    throw new CommandError(
      `${url} publishes no keys of this service (HTTP ${response.status}). Correct --url.`,
    );
  }
  return keys;
};

/** A service that takes longer to send a few hundred bytes counts as not running. */
const answerMsMax = 10_000;
