import { type Static, Type } from "typebox";
import { makeCheck } from "#contract/make-check";

const flag = Type.Optional(Type.Boolean());

const faultsSchema = Type.Object(
  {
    /** For how many answers; without it until the faults are cleared. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    delayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
    /** The answer has this status and an empty object. */
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    /** Takes the request, does nothing and never answers. */
    silence: flag,
    /** Does what was asked, and never answers. */
    silenceAfterwards: flag,
    /** The first half of the right answer. */
    malformed: flag,
    html: flag,
    redirect: flag,
    /** 50 MB. */
    huge: flag,
    otherPerson: flag,
    twoFaces: flag,
    noFace: flag,
    futureDate: flag,
  },
  { additionalProperties: false },
);

/** What a simulator does wrong. Faults that concern a person are for registries. */
export type Faults = Static<typeof faultsSchema>;

const faultsShape = makeCheck(faultsSchema);

/** The faults in a body of `POST /_faults`; undefined if the body holds none. */
export const readFaults = (body: unknown): Faults | undefined => (faultsShape.Check(body) ? body : undefined);

/** Why a body holds no faults: the first wrong member, and the names of all. */
export const faultOf = (body: unknown): string => {
  const [first] = faultsShape.Errors(body);
  const where = first?.instancePath.slice(1) || "body";
  const isKnown = where === "body" || Object.hasOwn(faultsSchema.properties, where);
  const reason = isKnown ? (first?.message ?? "is wrong") : "is no fault";
  return `${where}: ${reason}. Faults: ${Object.keys(faultsSchema.properties).join(", ")}`;
};

/** The switch of one simulator. */
export type FaultSwitch = {
  /** An empty object clears the faults. */
  readonly set: (faults: Faults) => void;
  readonly state: () => Faults;
  /** The faults of the next answer; counts it. */
  readonly take: () => Faults;
};

export const makeFaultSwitch = (): FaultSwitch => {
  let current: Faults = {};
  return {
    set: (faults) => {
      current = faults;
    },
    state: () => current,
    take: () => {
      const taken = current;
      if (taken.times !== undefined) {
        current = taken.times > 1 ? { ...taken, times: taken.times - 1 } : {};
      }
      return taken;
    },
  };
};
