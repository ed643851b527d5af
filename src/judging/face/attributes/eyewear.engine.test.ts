import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledger } from "#machine/networks/ledger";
import { modelHashes } from "#machine/networks/model-files";
import { imageOf, openFaceEngine, readEyewearProbe } from "#support/face/images";
import { defaultFacePolicy } from "../policy.ts";
import { judgeEyewear } from "./eyewear.ts";
import { descriptorOf, eyewearOdds, packEyewearProbe, unpackEyewearProbe } from "./eyewear-probe.ts";

const policy = defaultFacePolicy.attributes;
const { measure } = openFaceEngine();

describe("judgeEyewear", () => {
  it.each([
    ["none", "a man's bare face", "franck_02159.jpg"],
    ["none", "the same man with his eyes closed", "franck_03979.jpg"],
    ["clear", "a man with glasses", "walter2_crop.jpg"],
    ["dark", "a man with sunglasses", "terminator_crop.jpg"],
  ] as const)("finds %s for %s", async (eyewear, _, name) => {
    const measured = await measure(imageOf(name), { attributes: true });
    if (measured.kind !== "measured" || !measured.face || !measured.attributes?.eyewear) {
      throw new Error("No face was found");
    }
    expect(judgeEyewear(measured.attributes.eyewear, measured.face.quality.eyeToSkin, policy)).toBe(eyewear);
    expect(measured.models["eyewear-probe"]).toBe(readEyewearProbe().hash);
  });

  it("gives no result between the two bounds, or if probe and eyes contradict each other", () => {
    const between = (policy.eyewearNoneOddsMax + policy.eyewearWornOddsMin) / 2;
    expect(judgeEyewear({ worn: between, dark: 0 }, 0.6, policy)).toBeUndefined();
    const inShadow = policy.darkLensEyeToSkinMax / 2;
    expect(judgeEyewear({ worn: policy.eyewearNoneOddsMax - 1, dark: 9 }, inShadow, policy)).toBeUndefined();
  });

  it.each([
    [Number.NaN, 0, 0.6],
    [9, Number.NaN, 0.6],
    [9, 0, Number.NaN],
    [Number.POSITIVE_INFINITY, 0, 0.6],
    [Number.NEGATIVE_INFINITY, 0, 0.6],
  ])("gives no result for a value that is not a number: %d, %d, %d", (worn, dark, eyeToSkin) => {
    expect(judgeEyewear({ worn, dark }, eyeToSkin, policy)).toBeUndefined();
  });

  it("a higher probe score never removes eyewear", () => {
    const order = ["none", undefined, "clear", "dark"];
    const odds = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(odds, odds, odds, fc.double({ min: 0, max: 2, noNaN: true }), (a, b, dark, eyeToSkin) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)].map((worn) =>
          order.indexOf(judgeEyewear({ worn, dark }, eyeToSkin, policy)),
        );
        return low! <= high!;
      }),
    );
  });
});

describe("the probe's file", () => {
  const expected = descriptorOf(modelHashes(ledger));
  const probe = readEyewearProbe();

  it("keeps its odds to a thousandth", () => {
    const again = unpackEyewearProbe(packEyewearProbe(probe), expected);
    const vector = Float32Array.from({ length: 1024 }, (_, i) => Math.sin(i) / 22.6);
    expect(eyewearOdds(again, vector).worn).toBeCloseTo(eyewearOdds(probe, vector).worn, 3);
    expect(eyewearOdds(again, vector).dark).toBeCloseTo(eyewearOdds(probe, vector).dark, 3);
  });

  it("is refused if it is cut short, is another file, or was made for another descriptor", () => {
    const packed = packEyewearProbe(probe);
    expect(() => unpackEyewearProbe(packed.subarray(1), expected)).toThrow("not an eyewear probe");
    expect(() => unpackEyewearProbe(new Uint8Array(packed.length), expected)).toThrow("not an eyewear probe");
    expect(() => unpackEyewearProbe(packed, expected.replace(/^./, "x"))).toThrow("another face descriptor");
  });
});
