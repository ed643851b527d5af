import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { assetTypes } from "#contract/event";
import { eventNames } from "#contract/event-envelope";
import type { Json } from "#contract/json";

const recordedEvent = Type.Object({
  name: Type.Enum([...eventNames]),
  sequence: Type.Integer({ minimum: 1 }),
  at: Type.String(),
  data: Type.Unsafe<Readonly<Record<string, Json>>>(Type.Record(Type.String(), Type.Unknown())),
  /** Kinds of the images that the operation had kept by then. */
  assets: Type.Array(Type.Enum([...assetTypes])),
});

/** Events of whole operations, as the service stated them in one run. */
const recorded = Type.Object({
  operations: Type.Array(
    Type.Object({
      /** Folder of its samples. */
      name: Type.String(),
      operationId: Type.String(),
      events: Type.Array(recordedEvent),
    }),
    { minItems: 1 },
  ),
});

export type RecordedEvent = Static<typeof recordedEvent>;
export type Recorded = Static<typeof recorded>;

const check = Compile(recorded);

/** Throws where the text is no recording. */
export const readRecorded = (text: string): Recorded => check.Parse(JSON.parse(text));
