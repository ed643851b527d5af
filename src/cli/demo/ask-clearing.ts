import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { CommandError } from "../command.ts";
import type { Client } from "../kit/service/client.ts";
import type { Onboarding } from "../kit/service/onboarding.ts";

const refused = makeCheck(
  Type.Object({
    type: Type.String(),
    title: Type.String(),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
  }),
);

/** The answer to a request for a verification token: `issued`, or the code of the failure and its facts. */
type ClearingAnswer = { readonly code: string; readonly text: string };

/**
 * Asks for the token that opens the certificate of pension clearing. Throws `CommandError` on an answer that
 * is neither a token nor a refusal.
 */
export const askClearing = async (
  client: Client,
  { identity, scanReference }: Pick<Onboarding, "identity" | "scanReference">,
): Promise<ClearingAnswer> => {
  const path = `/services/clearing/${identity.serviceTransactionId}/verify`;
  const { status, body } = await client.post(path, { scanReference });
  if (status === 200) return { code: "issued", text: "a token was issued" };
  if (status !== 422 || !refused.Check(body)) {
    throw new CommandError(`${path} answered ${status}: ${JSON.stringify(body).slice(0, 400)}`);
  }
  const code = body.type.slice(body.type.lastIndexOf("/") + 1);
  const facts = Object.entries(body.facts).map(([name, value]) => `${name} ${value}`);
  return { code, text: `refused: ${body.title} (${facts.join(", ")})` };
};
