import { eventTopic } from "#contract/event";

/** The topics of the interface's events. */
export const knownTopics: readonly string[] = Object.values(eventTopic);

const everyWorkflow = "workflows/*/v1";
const everything = "*";

/** Topics that stand for several: all workflow events, and every event of this and later releases. */
export const wildcards: readonly string[] = [everyWorkflow, everything];

/** Whether a destination with these topics takes events of `topic`. */
export const takesTopic = (topics: readonly string[], topic: string): boolean =>
  topics.includes(topic) ||
  topics.includes(everything) ||
  (topics.includes(everyWorkflow) && /^workflows\/[^/]+\/v1$/.test(topic));
