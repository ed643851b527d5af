import type { Fusion } from "./fusion.ts";

/** One attack in nine pictures, and every cue as its own judge weighs it. */
export const defaultFusion: Fusion = { name: "physical-1", offset: -2.2, scales: {} };
