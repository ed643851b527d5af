import { eventOf, isVerified } from "../kit/service/describe-message.ts";
import type { Mailbox } from "../kit/service/mailbox.ts";
import { finish } from "../kit/service/onboarding.ts";
import { type CivilDeps, validateInSevenCountries } from "./civil.ts";
import { transferAffiliate } from "./clearing.ts";
import { readEvents } from "./events.ts";
import { type Step, showStep } from "./step.ts";

/** The steps that need the sandbox, one after another; true where each is right. */
export const runFullSteps = async (
  deps: CivilDeps,
  mailbox: Pick<Mailbox, "follow">,
  isJson: boolean,
): Promise<boolean> => {
  let isRight = true;
  for await (const step of listSteps(deps)) {
    const events = await eventsOf(deps, mailbox, `demo-${step.name}`);
    const whole = {
      ...step,
      facts: { ...step.facts, events: events.names.join(" ") },
      mistakes: [...step.mistakes, ...events.mistakes],
    };
    isRight = showStep(whole, isJson) && isRight;
  }
  return isRight;
};

async function* listSteps(deps: CivilDeps): AsyncGenerator<Step, void> {
  yield* validateInSevenCountries(deps);
  yield await transferAffiliate(deps);
}

/** Ends the operation of a step and reads its events from the mailbox, which verifies them. */
const eventsOf = async ({ client }: CivilDeps, mailbox: Pick<Mailbox, "follow">, operationId: string) => {
  await finish(client, { outcome: "approved" }, { operationId, extraData: `tracking of ${operationId}` });
  const events = await readEvents(mailbox, operationId);
  const names = events.map((event) => eventOf(event).name);
  return {
    names,
    mistakes: [
      ...(names.includes("operation_finished") ? [] : ["the event operation_finished did not arrive"]),
      ...events
        .filter((event) => !isVerified(event))
        .map((event) => `${eventOf(event).name} is not verified`),
    ],
  };
};
