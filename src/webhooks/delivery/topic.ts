import { type EventName, eventTopic } from "#contract/event";

/** Every workflow event of version 1. */
export const everyWorkflowTopic = "workflows/*/v1";
/** Every event of any kind and version. */
export const everyTopic = "*";

/** Whether a destination with these topics takes the event. */
export const takesEvent = (topics: readonly string[], name: EventName): boolean =>
  topics.some((topic) => topic === eventTopic[name] || topic === everyWorkflowTopic || topic === everyTopic);
