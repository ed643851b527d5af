import { describe, expect, it } from "vitest";
import { guideRegion, measureDocument } from "./document-facts.ts";
import { changeOf, colourOf, type GreyFrame, greyOf, insideOf, lightOf, sharpnessOf } from "./frame-facts.ts";
import { documentPolicy, judgeDocument } from "./judge-document.ts";

const draw = (width: number, height: number, at: (x: number, y: number) => number): GreyFrame => {
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) grey[y * width + x] = at(x, y);
  return { width, height, grey };
};
const whole = ({ width, height }: GreyFrame) => ({ x: 0, y: 0, width, height });
const rgba = (red: number, green: number, blue: number, count = 4) => ({
  width: count,
  height: 1,
  rgba: new Uint8ClampedArray(Array.from({ length: count }, () => [red, green, blue, 255]).flat()),
});

describe("the light of a region", () => {
  it("is dark, normal or bright: the measure is of the whole scale", () => {
    for (const level of [0, 5, 120, 249, 255]) {
      const frame = draw(8, 8, () => level);
      expect(lightOf(frame, whole(frame)).median).toBe(level);
    }
  });

  it("counts pixels that are burnt out", () => {
    const frame = draw(10, 10, (x) => (x === 0 ? 250 : 249));
    expect(lightOf(frame, whole(frame)).burntShare).toBe(0.1);
    expect(lightOf(frame, insideOf({ x: 90, y: 0, width: 5, height: 5 }, frame)).burntShare).toBe(0);
  });
});

describe("sharpness", () => {
  const stripes = draw(64, 64, (x) => (Math.floor(x / 4) % 2) * 200);
  const blurred = draw(64, 64, (x) => 100 + 100 * Math.sin((x * Math.PI) / 4 / 4));

  it("falls with blur, and is the same for a pale frame", () => {
    const pale = draw(64, 64, (x) => (Math.floor(x / 4) % 2) * 40 + 150);
    const sharp = sharpnessOf(stripes, whole(stripes));
    expect(sharp).toBeGreaterThan(5 * sharpnessOf(blurred, whole(blurred)));
    expect(sharpnessOf(pale, whole(pale))).toBeCloseTo(sharp, 6);
  });

  it("of a plain or empty region is 0", () => {
    const plain = draw(16, 16, () => 90);
    expect(sharpnessOf(plain, whole(plain))).toBe(0);
    expect(sharpnessOf(plain, { x: 0, y: 0, width: 0, height: 0 })).toBe(0);
  });
});

describe("the change since the frame before", () => {
  const frame = draw(32, 32, (x) => (x * 8) % 256);
  it("is movement, and no change of the light", () => {
    const brighter = draw(32, 32, (x) => ((x * 8) % 256) / 2 + 60);
    const moved = draw(32, 32, (x) => ((x + 4) * 8) % 256);
    expect(changeOf(frame, frame, whole(frame))).toBe(0);
    expect(
      changeOf(
        draw(32, 32, () => 130),
        draw(32, 32, () => 90),
        whole(frame),
      ),
    ).toBe(0);
    expect(changeOf(moved, frame, whole(frame))).toBeGreaterThan(20);
    expect(brighter.grey[0]).toBe(60);
  });

  it("is none without a frame of the same size", () => {
    expect(changeOf(frame, undefined, whole(frame))).toBe(0);
    expect(
      changeOf(
        frame,
        draw(8, 8, () => 0),
        whole(frame),
      ),
    ).toBe(0);
  });
});

it("an infrared frame has no colour, a face and a grey wall in colour have", () => {
  expect(colourOf(rgba(120, 120, 120))).toBe(0);
  expect(colourOf(rgba(170, 168, 160))).toBe(10);
  expect(colourOf(rgba(200, 150, 130))).toBe(70);
  expect(greyOf(rgba(255, 255, 255)).grey[0]).toBe(255);
});

describe("a document in the guide", () => {
  const size = { width: 256, height: 192 };
  const guide = guideRegion(size, "card");
  /**
   * A pale card with print on a dark table, smaller by `inset` pixels a side, slanted by `slant` over its
   * width.
   */
  const card = (
    inset: number,
    slant = 0,
    paint: (x: number, y: number) => number | undefined = () => undefined,
  ) =>
    draw(size.width, size.height, (x, y) => {
      const shift = (slant * (x - 128)) / guide.width;
      const isCard =
        x >= guide.x + inset &&
        x < guide.x + guide.width - inset &&
        y - shift >= guide.y + inset &&
        y - shift < guide.y + guide.height - inset;
      if (!isCard) return 60;
      return paint(x, y) ?? (y % 12 < 2 && x % 5 < 3 ? 70 : 200);
    });
  /** Out of focus: the mean of nine by nine pixels. */
  const blur = ({ width, height, grey }: GreyFrame): GreyFrame =>
    draw(width, height, (x, y) => {
      let [sum, count] = [0, 0];
      for (let row = Math.max(0, y - 4); row <= Math.min(height - 1, y + 4); row++) {
        for (let column = Math.max(0, x - 4); column <= Math.min(width - 1, x + 4); column++) {
          sum += grey[row * width + column]!;
          count++;
        }
      }
      return sum / count;
    });
  const judge = (frame: GreyFrame, before: GreyFrame | undefined = frame) =>
    judgeDocument(measureDocument(frame, before, "card"));

  it("may be captured, and its corners lie where it was drawn", () => {
    const facts = measureDocument(card(6), card(6), "card");
    expect(judgeDocument(facts)).toBeUndefined();
    const [x, y] = facts.corners![0]!;
    expect(Math.abs(x * size.width - guide.x - 6)).toBeLessThan(3);
    expect(Math.abs(y * size.height - guide.y - 6)).toBeLessThan(3);
  });

  it("is missing on an empty table, too far, slanted, moved, blurred or under a reflection", () => {
    expect(judge(draw(256, 192, () => 90))).toBe("no_document");
    expect(judge(draw(256, 192, () => 20))).toBe("too_dark");
    expect(judge(card(26))).toBe("fit_frame");
    expect(judge(card(12, 22))).toBe("tilt_less");
    expect(judge(card(6, 0, (x, y) => (Math.hypot(x - 150, y - 90) < 18 ? 255 : undefined)))).toBe("glare");
    expect(
      judge(
        card(6),
        draw(256, 192, (x) => (x * 5) % 256),
      ),
    ).toBe("hold_still");
    expect(judge(blur(card(6)))).toBe("blur");
  });

  it("is judged on either side of each bound", () => {
    const facts = measureDocument(card(6), card(6), "card");
    const at = {
      share: documentPolicy.shareMin,
      tiltDegrees: documentPolicy.tiltDegreesMax,
      glareShare: documentPolicy.glareShareMax,
      change: documentPolicy.changeMax,
      sharpness: documentPolicy.sharpnessMin,
      median: documentPolicy.darkMedian,
    };
    expect(judgeDocument({ ...facts, ...at })).toBeUndefined();
    expect(judgeDocument({ ...facts, ...at, share: at.share - 0.01 })).toBe("fit_frame");
    expect(judgeDocument({ ...facts, ...at, tiltDegrees: at.tiltDegrees + 0.1 })).toBe("tilt_less");
    expect(judgeDocument({ ...facts, ...at, glareShare: at.glareShare + 0.001 })).toBe("glare");
    expect(judgeDocument({ ...facts, ...at, change: at.change + 0.1 })).toBe("hold_still");
    expect(judgeDocument({ ...facts, ...at, sharpness: at.sharpness - 0.001 })).toBe("blur");
    expect(judgeDocument({ ...facts, ...at, median: at.median - 1 })).toBe("too_dark");
  });

  it("may be the data page of a passport: the guide has its shape", () => {
    const page = guideRegion({ width: 640, height: 480 }, "page");
    expect(page.width / page.height).toBeCloseTo(125 / 88, 6);
    expect(page.height).toBeLessThanOrEqual(0.84 * 480 + 1e-9);
  });
});
