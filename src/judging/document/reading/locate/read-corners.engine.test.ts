import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Quad } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { choose } from "#machine/models/choose";
import { trialDims } from "#machine/models/judge-fit";
import { cornersSpecOf, findUnserved } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import type { Network } from "#machine/networks/model";
import { openNetworks } from "#machine/networks/networks";
import { fill } from "#support/document/card";
import { cornersManifestOf, openTestModels } from "#support/models/small-models";
import { cornersNetwork } from "#support/networks/small-networks";
import { makeReadCardMaps } from "./card-maps.ts";
import { makeFindQuad } from "./find-quad.ts";
import { intersectionOverUnion } from "./geometry.ts";
import { cardScore } from "./located-card.ts";
import { makeReadCorners } from "./read-corners.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
const width = 1000;
const height = 700;

/** Two light cards on a dark background. */
const large: Quad = [
  [60, 50],
  [620, 50],
  [620, 403],
  [60, 403],
];
const little: Quad = [
  [520, 440],
  [840, 440],
  [840, 642],
  [520, 642],
];
const drawTwo = () => {
  const image = { width, height, data: new Uint8Array(width * height * 3).fill(60) };
  for (const [[x, y], , [right, bottom]] of [large, little]) {
    fill(image, { x, y, width: right - x, height: bottom - y }, 220);
  }
  return image;
};

/** Places as shares of the sides, as the test network wants them. */
const sharesOf = (quad: Quad) =>
  quad.map(([x, y]): readonly [number, number] => [(x + 0.5) / width, (y + 0.5) / height]);

const openCorners = (bytes: Uint8Array | undefined) => {
  const manifest = bytes && cornersManifestOf(bytes);
  const files =
    manifest === undefined
      ? []
      : [{ name: "corners", hash: manifest.sha256, read: () => bytes!, trialDims: trialDims(manifest) }];
  const { networks, added } = openNetworks(ledger, undefined, files);
  const read = manifest && makeReadCorners(imaging, { ...added[0]!, spec: cornersSpecOf(manifest) });
  const findQuad = makeFindQuad(imaging, makeReadCardMaps(imaging, networks["card-finder"]), read);
  return { read, findQuad };
};

describe("added corners", () => {
  it("are read at the maximum of the maps, to less than a cell", async () => {
    const image = drawTwo();
    const said = sharesOf(little);
    const read = await openCorners(cornersNetwork(said)).read?.(image);
    for (const [i, [x, y]] of little.entries()) {
      expect(Math.abs(read![i]![0] - x)).toBeLessThan((0.5 * width) / 64);
      expect(Math.abs(read![i]![1] - y)).toBeLessThan((0.5 * height) / 64);
    }
    expect(await openCorners(cornersNetwork(said, 0.25)).read?.(image)).toBeUndefined();
  });

  it("choose the card, and the image's edges refine its position", async () => {
    const image = drawTwo();
    const bundled = await openCorners(undefined).findQuad(image);
    expect(intersectionOverUnion(bundled!.quad, large)).toBeGreaterThan(0.95);
    // Off by half a per cent, as maps with few cells are.
    const said = sharesOf(little).map(([x, y]): readonly [number, number] => [x + 0.004, y - 0.004]);
    const card = await openCorners(cornersNetwork(said)).findQuad(image);
    expect(intersectionOverUnion(card!.quad, little)).toBeGreaterThan(0.97);
    expect(card!.score).toBeGreaterThanOrEqual(cardScore.usable);
  });

  it.each([
    [
      "where no edge bears them out",
      [
        [0.1, 0.62],
        [0.45, 0.62],
        [0.45, 0.95],
        [0.1, 0.95],
      ],
      0.9,
    ],
    [
      "that are no card's",
      [
        [0.1, 0.1],
        [0.2, 0.1],
        [0.9, 0.2],
        [0.1, 0.9],
      ],
      0.9,
    ],
    ["that are hardly seen", sharesOf(little), 0.2],
  ] as const)("change nothing %s", async (_what, said, peak) => {
    const image = drawTwo();
    const bundled = await openCorners(undefined).findQuad(image);
    expect(await openCorners(cornersNetwork(said, peak)).findQuad(image)).toEqual(bundled);
  });

  it("are rejected when the network returns another shape", async () => {
    const run: Network["run"] = async () => ({ heatmap: { data: new Float32Array(8), dims: [1, 2, 2, 2] } });
    const spec = cornersSpecOf(cornersManifestOf(cornersNetwork([])));
    const read = makeReadCorners(imaging, { name: "corners", hash: "", spec, run });
    await expect(read(drawTwo())).rejects.toThrow(/answered 1x2x2x2 for 256x256/);
  });

  it("come from a network with four maps; another network is rejected, and the previous one continues to work", async () => {
    const folder = await mkdtemp(join(tmpdir(), "idem-corners-"));
    try {
      const models = openTestModels(join(folder, "models"));
      const add = async (bytes: Uint8Array) => {
        await writeFile(join(folder, "corners.onnx"), bytes);
        return await models.add(join(folder, "corners.onnx"), cornersManifestOf(bytes));
      };
      const { manifest } = await add(cornersNetwork(sharesOf(large)));
      await choose(models, "corners", "active");
      await expect(add(cornersNetwork(sharesOf(large).slice(1)))).rejects.toThrow(
        /its output is 1 x 3 x 64 x 64; that of document-corners is 1 x 4 or more x rows x columns/,
      );
      expect((await models.modelStore.choiceOf("document-corners")).active).toEqual([manifest.sha256]);
      expect(findUnserved({ ...manifest, output: { kind: "db" } })).toMatch(/needs heatmap/);
      const free = { ...manifest.input, shape: [1, 3, "height", "width"] };
      expect(findUnserved({ ...manifest, input: free })).toMatch(/equal, fixed sides/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
