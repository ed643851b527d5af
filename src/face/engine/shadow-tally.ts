import type { Collector } from "#http/metrics";
import type { FaceMeasurement } from "../measurement.ts";

/** How far the liveness models that look on were from those that decide. */
export type ShadowReadings = {
  /** Pictures of which both said something. */
  readonly compared: number;
  /** Pictures of which only the ones that look on did: none decides, or it must not be shown the face. */
  readonly alone: number;
  /** Sum of the distances between what they said, each 0…1. */
  readonly distance: number;
  /** Pictures that one took for live and the other for an attack: on different sides of .5. */
  readonly disagreements: number;
};

/** Counts since the start of the process; nothing of a picture or a person is kept. */
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
  gauge("compared", "Pictures that deciding and looking-on models both judged", () => read().compared),
  gauge("alone", "Pictures that only looking-on models judged", () => read().alone),
  gauge("distance", "Sum of the distances between what both said, each 0 to 1", () => read().distance),
  gauge("disagreements", "Pictures that one took for live, the other not", () => read().disagreements),
];
