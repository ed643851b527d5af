import { triggerEventRoute, triggeredEvents } from "#contract/mailbox.routes";
import { endOperationRoute } from "#contract/operation.routes";
import { print, say, UsageError, wrongWord } from "../command.ts";
import type { Work } from "../kit/action.ts";
import { listenForEnd } from "../kit/end-signals.ts";
import { describeMessage, eventOf } from "../kit/service/describe-message.ts";
import { findService } from "../kit/service/find-service.ts";
import { followMailbox, openMailbox } from "../kit/service/mailbox.ts";
import type { events } from "./events.command.ts";

type Topics = (typeof events)["topics"];

export const tail: Work<Topics["tail"]> = async ({
  operation,
  json,
  "from-start": isFromStart,
  ...values
}) => {
  const service = await findService(values);
  const ending = listenForEnd();
  const mailbox = await openMailbox(service);
  say(`Waiting for events at ${service.url}. Ctrl-C ends.`);
  await followMailbox(mailbox, { isFromStart, ending }, (message) => {
    const isShown = operation === undefined || eventOf(message).operationId === operation;
    if (isShown) print(json ? message.body : describeMessage(message));
  });
  return 0;
};

/** The end of an operation states it. */
const lastEvent = "operation_finished";
const names: readonly string[] = [...triggeredEvents, lastEvent];

export const trigger: Work<Topics["trigger"]> = async ({ operation: joined, ...values }, [name, ...rest]) => {
  if (rest.length > 0) throw new UsageError("Name one event: idem events trigger NAME");
  const event = triggeredEvents.find((known) => known === name);
  const isLast = name === lastEvent;
  if (event === undefined && !isLast) throw wrongWord("event", "events trigger", name, names);
  const { call } = await findService(values);
  const { operationId: operation } = await call(triggerEventRoute, {
    event: event ?? "operation_started",
    ...(joined !== undefined && { operationId: joined }),
  });
  if (isLast) await call(endOperationRoute, { operation, status: "SUCCEEDED" });
  say(`${name} of the operation:`);
  print(operation);
  return 0;
};
