import { type EventName, eventTopic } from "#contract/event";

const everyWorkflow = "workflows/*/v1";
const everything = "*";

/**
 * Whether a destination with these topics takes the event. All events of this release are workflow events of
 * version 1.
 */
export const takesEvent = (topics: readonly string[], name: EventName): boolean =>
  [eventTopic[name], everyWorkflow, everything].some((topic) => topics.includes(topic));
