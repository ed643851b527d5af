import type { Collector } from "#machine/http/metrics";
import type { FaceMeasurement } from "../measurement.ts";

/** The distance of the liveness models in shadow mode from the deciding ones. */
export type ShadowReadings = {
  /** Images with a score from both. */
  readonly compared: number;
  /** Images with a shadow score only: no network decides, or it must not receive the face. */
  readonly alone: number;
  /** Sum of the distances between the scores, each 0…1. */
  readonly distance: number;
  /** Images that one rated live and the other an attack: on different sides of .5. */
  readonly disagreements: number;
};

/** Counts since the start of the process. Nothing of an image or a person is kept. */
export const makeShadowTally = () => {
  let readings: ShadowReadings = { compared: 0, alone: 0, distance: 0, disagreements: 0 };
  return {
    add: (measured: FaceMeasurement): void => {
      if (measured.kind !== "measured" || measured.shadow === undefined) return;
      const { compared, alone, distance, disagreements } = readings;
      const [active, shadow] = [measured.cues?.network?.live, measured.shadow.live];
      readings =
        active === undefined
          ? { ...readings, alone: alone + 1 }
          : {
              alone,
              compared: compared + 1,
              distance: distance + Math.abs(active - shadow),
              disagreements: disagreements + (active >= 0.5 === shadow >= 0.5 ? 0 : 1),
            };
    },
    readings: (): ShadowReadings => readings,
  };
};

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name: `idem_shadow_liveness_${name}`,
  help,
  read: () => [{ value: value() }],
});

/** The readings as metrics. */
export const shadowGauges = (read: () => ShadowReadings): readonly Collector[] => [
  gauge("compared", "Images judged by deciding and shadow models", () => read().compared),
  gauge("alone", "Images judged by shadow models only", () => read().alone),
  gauge("distance", "Sum of the distances between both scores, each 0 to 1", () => read().distance),
  gauge("disagreements", "Images rated live by one and not by the other", () => read().disagreements),
];
