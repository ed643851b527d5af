import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { livenessNetwork } from "#support/networks/small-networks";
import {
  bytesField,
  integerField,
  joined,
  messageField,
  serialize,
  textField,
} from "./conversion/protobuf.ts";
import { readOnnxFacts } from "./onnx-facts.ts";
import { tryNetwork } from "./trial.ts";

const network = livenessNetwork({ side: 16, index: 1, channel: 0 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-trial-"));
});
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, "network.onnx");
  await writeFile(path, bytes);
  return path;
};

/** A file with one node and one weight tensor of these fields. */
const modelOf = (node: Parameters<typeof joined>[0], tensor: Parameters<typeof joined>[0]): Uint8Array =>
  serialize(
    joined([
      messageField(8, integerField(2, 17)),
      messageField(7, joined([messageField(1, joined(node)), messageField(5, joined(tensor))])),
    ]),
  );

describe("readOnnxFacts", () => {
  it("reports operator sets and operators of a file", () => {
    expect(readOnnxFacts(network)).toEqual({
      operatorSets: { "": 17 },
      domains: [""],
      operators: ["Add", "Flatten", "GlobalAveragePool", "MatMul"],
      hasExternalData: false,
      metadata: {},
    });
  });

  it("reads the metadata beside the network, up to the length of a list of words", () => {
    const entry = (key: string, value: string) =>
      messageField(14, joined([textField(1, key), textField(2, value)]));
    const written = [
      entry("character", "A\nÑ"),
      entry("long", "x".repeat(1_000_001)),
      entry("__proto__", "y"),
    ];
    const { metadata } = readOnnxFacts(Buffer.concat([network, serialize(joined(written))]));
    expect(Object.entries(metadata)).toEqual([
      ["character", "A\nÑ"],
      ["__proto__", "y"],
    ]);
  });

  it("detects operators of other domains, and weights in other files, also in inner graphs", () => {
    const foreign = [textField(4, "Run"), textField(7, "my.operators")];
    expect(readOnnxFacts(modelOf(foreign, [])).domains).toEqual(["my.operators"]);
    const external = [integerField(14, 1)];
    expect(readOnnxFacts(modelOf([], external)).hasExternalData).toBe(true);
    const inner = messageField(1, messageField(5, messageField(5, joined(external))));
    expect(readOnnxFacts(modelOf([messageField(5, messageField(6, inner))], [])).hasExternalData).toBe(true);
  });

  it("detects weights in other files as the runtime does: numbers cut to 32 bits, a location that is only named", () => {
    expect(readOnnxFacts(modelOf([], [integerField(14, 2 ** 32 + 1)])).hasExternalData).toBe(true);
    expect(readOnnxFacts(modelOf([], [integerField(14, 2 ** 32)])).hasExternalData).toBe(false);
    const place = joined([textField(1, "location"), textField(2, "weights.bin")]);
    expect(readOnnxFacts(modelOf([], [messageField(13, place)])).hasExternalData).toBe(true);
    const inDefault = messageField(11, messageField(5, integerField(14, 1)));
    const withFunction = Buffer.concat([modelOf([], []), serialize(messageField(25, inDefault))]);
    expect(readOnnxFacts(withFunction).hasExternalData).toBe(true);
  });

  it("refuses tags that the runtime reads as other tags", () => {
    // Field 14 with bit 32 set, and field 14 padded with a zero, each with the value 1.
    const tags = [
      [0xf0, 0x80, 0x80, 0x80, 0x10, 1],
      [0xf0, 0x00, 1],
    ];
    for (const tag of tags) {
      const graph = joined([messageField(1, joined([])), bytesField(5, Uint8Array.from(tag))]);
      const file = serialize(joined([messageField(8, integerField(2, 17)), messageField(7, graph)]));
      expect(() => readOnnxFacts(file)).toThrow(/tag/);
    }
  });

  it("refuses bytes that the runtime would read as its own format", () => {
    const mark = bytesField(2, Buffer.from([0, 0, ...Buffer.from("ORTM")]));
    expect(() => readOnnxFacts(Buffer.concat([serialize(mark), network]))).toThrow(/runtime's own format/);
  });

  it("refuses anything that is no ONNX file, and never hangs on it", () => {
    expect(() => readOnnxFacts(Buffer.from("version https://git-lfs.github.com/spec/v1\n"))).toThrow();
    expect(() => readOnnxFacts(network.subarray(0, network.length - 9))).toThrow();
    expect(() => readOnnxFacts(new Uint8Array())).toThrow(/no graph/);
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(bytes, (noise) => {
        try {
          expect(readOnnxFacts(noise).domains).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

describe("tryNetwork", () => {
  it("reports inputs, outputs and values of a run", async () => {
    const report = await tryNetwork(await fileOf(network), { dims: [1, 3, 16, 16] });
    expect(report.inputs).toEqual([{ name: "input", type: "float32", dims: [1, 3, 16, 16] }]);
    expect(report.outputs).toMatchObject([{ name: "logits", dims: [1, 3], isFinite: true }]);
  });

  it.each([
    ["unsupported dimensions", network, [1, 3, 17, 16], /dimensions/],
    [
      "an operator unknown to the runtime",
      livenessNetwork({ side: 16, index: 1, channel: 0, operator: "Abracadabra" }),
      [1, 3, 16, 16],
      /Abracadabra/,
    ],
    ["bytes that are no network", Buffer.from("hello"), [1], /protobuf/],
  ] as const)("rejects %s, with the reason", async (_what, bytes, dims, reason) => {
    await expect(tryNetwork(await fileOf(bytes), { dims })).rejects.toThrow(reason);
  });
});
