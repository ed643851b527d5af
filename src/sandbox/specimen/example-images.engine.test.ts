import { expect, it } from "vitest";
import { exampleImages } from "#contract/examples/images";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { drawExamples } from "./example-images.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });

const meanDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.reduce((sum, value, at) => sum + Math.abs(value - b[at]!), 0) / a.length;

it("draws the images that the specification shows", async () => {
  const drawn = await drawExamples(imaging);
  expect(Object.keys(drawn)).toEqual(Object.keys(exampleImages));
  const stated = new Map(Object.entries(exampleImages));
  for (const [name, bytes] of Object.entries(drawn)) {
    const [now, then] = await Promise.all([
      imaging.open(bytes),
      imaging.open(Buffer.from(stated.get(name) ?? "", "base64")),
    ]);
    expect([now.width, now.height], name).toEqual([then.width, then.height]);
    // Another build of the encoder may round differently.
    expect(meanDifference(now.data, then.data), name).toBeLessThan(1);
  }
});
