import { exampleToken } from "../example.ts";

/** The operation that the examples name: its id, and a token of a capture page. */
export const exampleTracking = {
  operationId: "0f8fad5b-d9cb-469f-a165-70867728950e",
  extraData: exampleToken("tracking"),
} as const;
