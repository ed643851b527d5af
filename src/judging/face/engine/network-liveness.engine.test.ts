import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { trialDims } from "#machine/models/judge-fit";
import { labelOf } from "#machine/models/label";
import type { Manifest } from "#machine/models/manifest";
import { livenessSpecOf } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";
import { manifestOf, smallNetwork } from "#support/models/small-models";
import { livenessNetwork } from "#support/networks/small-networks";
import {
  cropAbout,
  type LivenessNetwork,
  makeNetworkLiveness,
  makeShadowLiveness,
} from "./network-liveness.ts";
import { makeShadowTally } from "./shadow-tally.ts";

/** The file opened in the way of the engine. */
const open = (bytes: Uint8Array, change: Partial<Manifest> = {}): LivenessNetwork => {
  const manifest = manifestOf(bytes, change);
  const file = {
    name: labelOf(manifest),
    hash: manifest.sha256,
    read: () => bytes,
    trialDims: trialDims(manifest),
  };
  const [network] = openNetworks(ledger, undefined, [file]).added;
  return { ...network!, spec: livenessSpecOf(manifest) };
};

const { input } = manifestOf(smallNetwork);
const colours = { blue: [0, 0, 224], red: [224, 0, 0] } as const;
/** An image of one colour, 200 x 100. */
const plain = (colour: keyof typeof colours) => {
  const pixels = Array.from({ length: 200 * 100 }, () => colours[colour]).flat();
  return { width: 200, height: 100, data: Uint8Array.from(pixels) };
};
const face = { x: 80, y: 30, width: 40, height: 40 };
/** Of three logits 3, 0, 0: the first. */
const strong = Math.E ** 3 / (Math.E ** 3 + 2);
/** Of -4, 0, 0. */
const weak = Math.E ** -4 / (Math.E ** -4 + 2);

describe("makeNetworkLiveness", () => {
  it.each([
    ["BGR, planes", smallNetwork, {}],
    [
      "RGB, planes",
      livenessNetwork({ side: 16, index: 1, channel: 2 }),
      { input: { ...input, channels: "RGB" } },
    ],
  ] as const)(
    "passes %s to the network, and reads the share of the live class",
    async (_what, bytes, change) => {
      const measure = makeNetworkLiveness([open(bytes, change)]);
      expect((await measure(plain("blue"), face)).network?.live).toBeCloseTo(strong, 5);
      expect((await measure(plain("red"), face)).network?.live).toBeCloseTo(weak, 5);
    },
  );

  it("applies mean and scale of each channel", async () => {
    const network = open(smallNetwork, { input: { ...input, mean: [96, 0, 0], scale: [0.5, 1, 1] } });
    const live = (await makeNetworkLiveness([network])(plain("blue"), face)).network?.live;
    expect(live).toBeCloseTo(1 / (1 + 2 * Math.E ** 2), 5);
  });

  it("receives only the crop about the face", async () => {
    const image = plain("red");
    for (let y = 0; y < 100; y++)
      for (let x = 60; x < 140; x++) image.data.set(colours.blue, (y * 200 + x) * 3);
    const near = open(smallNetwork, {
      input: { ...input, crop: { faceBoxScale: 1.5, faceWidthShareMax: 0.6 } },
    });
    const wide = open(smallNetwork, {
      input: { ...input, crop: { faceBoxScale: 4, faceWidthShareMax: 0.6 } },
    });
    expect((await makeNetworkLiveness([near])(image, face)).network?.live).toBeCloseTo(strong, 5);
    expect((await makeNetworkLiveness([wide])(image, face)).network!.live).toBeLessThan(strong - 0.05);
  });

  it("averages the scores of a group's models", async () => {
    const sure = livenessNetwork({ side: 16, index: 1, channel: 0, bias: 20 });
    const both = makeNetworkLiveness([open(smallNetwork), open(sure)]);
    expect((await both(plain("red"), face)).network?.live).toBeCloseTo((weak + 1) / 2, 5);
  });

  it("gives no score for a face that fills too much of the image, or without a network", async () => {
    const close = { ...face, x: 30, width: 121 };
    expect(await makeNetworkLiveness([open(smallNetwork)])(plain("blue"), close)).toEqual({
      networkSilence: "face-too-large",
    });
    expect(await makeNetworkLiveness([])(plain("blue"), close)).toEqual({});
  });

  it("gives no score if the network's output is not a number", async () => {
    const broken = livenessNetwork({ side: 16, index: 1, channel: 0, bias: Number.NaN });
    expect(await makeNetworkLiveness([open(broken)])(plain("blue"), face)).toEqual({
      networkSilence: "no-number",
    });
  });
});

describe("cropAbout", () => {
  it("stays inside the image, keeps the aspect of the face, and contains the face if it fits", () => {
    const size = fc.integer({ min: 64, max: 3000 });
    const share = fc.double({ min: 0.05, max: 0.6, noNaN: true });
    const place = fc.double({ min: 0, max: 1, noNaN: true });
    const scale = fc.constantFrom(1, 1.5, 2.7, 4);
    fc.assert(
      fc.property(size, size, share, share, place, place, scale, (width, height, w, h, left, top, factor) => {
        const box = {
          width: width * w,
          height: height * h,
          x: width * (1 - w) * left,
          y: height * (1 - h) * top,
        };
        const crop = cropAbout({ width, height }, box, factor);
        expect(crop.x).toBeGreaterThanOrEqual(0);
        expect(crop.y).toBeGreaterThanOrEqual(0);
        expect(crop.x + crop.width).toBeLessThanOrEqual(width);
        expect(crop.y + crop.height).toBeLessThanOrEqual(height);
        const fitting = Math.min(factor, (width - 1) / box.width, (height - 1) / box.height);
        expect(Math.abs(crop.width - box.width * fitting)).toBeLessThanOrEqual(2);
        expect(Math.abs(crop.height - box.height * fitting)).toBeLessThanOrEqual(2);
        expect(crop.x).toBeLessThanOrEqual(box.x + 1);
        expect(crop.x + crop.width).toBeGreaterThanOrEqual(box.x + box.width - 2);
      }),
    );
  });
});

describe("models in shadow mode", () => {
  const image = (active: number | undefined, shadow: number | undefined) => ({
    kind: "measured" as const,
    file: { format: "jpeg" as const, bytes: 1, width: 1, height: 1, hasExif: false },
    width: 1,
    height: 1,
    scale: 1,
    faceWidths: [],
    models: {},
    cues: {
      light: { blackLevel: 0, blownOut: 0, faceChroma: 0 },
      ...(active !== undefined && { network: { live: active } }),
    },
    ...(shadow !== undefined && { shadow: { live: shadow, models: {} } }),
  });

  it("return their names with their scores", async () => {
    const network = open(smallNetwork);
    const result = await makeShadowLiveness([network])(plain("blue"), face);
    expect(result).toEqual({ live: expect.closeTo(strong, 5), models: { "small@1": network.hash } });
  });

  it("are counted if they differ from the deciding models, and without a deciding model", () => {
    const tally = makeShadowTally();
    tally.add(image(0.9, 0.8));
    tally.add(image(0.9, 0.2));
    tally.add(image(undefined, 0.2));
    tally.add(image(0.9, undefined));
    tally.add({ kind: "unreadable", code: "image_unreadable" });
    expect(tally.readings()).toEqual({
      compared: 2,
      alone: 1,
      distance: expect.closeTo(0.8, 9),
      disagreements: 1,
    });
  });
});
