import { eventTopic } from "#contract/event";

/** The topics of the interface's events. */
export const knownTopics: readonly string[] = Object.values(eventTopic);

/** Topics that stand for several: all workflow events, and every event of this and later releases. */
export const wildcards: readonly string[] = ["workflows/*/v1", "*"];
