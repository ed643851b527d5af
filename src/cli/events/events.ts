import { triggeredEvents } from "#contract/mailbox.routes";
import { parseOptions, print, type Run, say, UsageError, wrongAction, wrongWord } from "../command.ts";
import { listenForEnd } from "../serve/end-signals.ts";
import { describeMessage, eventOf } from "./describe-message.ts";
import { findService, followMailbox, openMailboxOf, serviceOptions } from "./running-service.ts";

/** The end of an operation states it. */
const lastEvent = "operation_finished";
const names: readonly string[] = [...triggeredEvents, lastEvent];

export const runEvents: Run = async ([verb, ...args]) => {
  if (verb === "tail") return await tail(args);
  if (verb === "trigger") return await trigger(args);
  throw wrongAction("events", verb, ["tail", "trigger"]);
};

const tail = async (args: readonly string[]): Promise<number> => {
  const { values } = parseOptions(args, {
    ...serviceOptions,
    operation: { type: "string" },
    "from-start": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  });
  const service = await findService(values);
  const ending = listenForEnd();
  await openMailboxOf(service);
  say(`Waiting for events at ${service.url}. Ctrl-C ends.`);
  await followMailbox(service, { isFromStart: values["from-start"], ending }, (message) => {
    const isShown = values.operation === undefined || eventOf(message).operationId === values.operation;
    if (isShown) print(values.json ? message.body : describeMessage(message));
  });
  return 0;
};

const trigger = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = parseOptions(
    args,
    { ...serviceOptions, operation: { type: "string" } },
    true,
  );
  const [name = "", ...rest] = positionals;
  if (rest.length > 0) throw new UsageError("Name one event: idem events trigger NAME");
  if (!names.includes(name)) throw wrongWord("event", "events trigger", positionals[0], names);
  const service = await findService(values);
  const event = name === lastEvent ? "operation_started" : name;
  const answer = await service.post("/operator/events/trigger", {
    event,
    ...(values.operation !== undefined && { operationId: values.operation }),
  });
  const operation = String(new Map<string, unknown>(Object.entries(Object(answer))).get("operationId"));
  if (name === lastEvent) {
    await service.post(`/operator/operations/${encodeURIComponent(operation)}/end`, { status: "SUCCEEDED" });
  }
  say(`${name} of the operation:`);
  print(operation);
  return 0;
};
