import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { makePreparePhoto, photoSideMax } from "./prepare-photo.ts";

const imaging = makeImaging({ limits: { ...defaultImagingLimits, pixelsMax: 2_000_000 } });
const prepare = makePreparePhoto(imaging);
const jpegOf = async (width: number, height: number, data?: Uint8Array): Promise<Uint8Array> =>
  new Uint8Array(
    await imaging.encodeJpeg({ width, height, data: data ?? new Uint8Array(width * height * 3) }, 90),
  );

const sizeOf = async (photo: Awaited<ReturnType<typeof prepare>>) => {
  const { width, height } = await imaging.open(typeof photo === "string" ? new Uint8Array() : photo);
  return [width, height];
};

describe("the photo of an imported person", () => {
  it("is kept as it is up to 720 pixels, and scaled beyond", async () => {
    const small = await jpegOf(540, photoSideMax);
    expect(await prepare(small)).toBe(small);
    expect(await sizeOf(await prepare(await jpegOf(540, photoSideMax + 2)))).toEqual([539, photoSideMax]);
    expect(await sizeOf(await prepare(await jpegOf(1_440, 1_080)))).toEqual([720, 540]);
  });

  it("is encoded again where it has many bytes", async () => {
    const heavy = new Uint8Array(
      await imaging.encodePng({ width: 400, height: 400, data: new Uint8Array(randomBytes(480_000)) }),
    );
    const kept = await prepare(heavy);
    expect(kept).not.toBe(heavy);
    expect(kept.length).toBeLessThan(heavy.length);
    expect(await sizeOf(kept)).toEqual([400, 400]);
  });

  it("is refused where it cannot be decoded or is too large", async () => {
    const whole = await jpegOf(300, 300, new Uint8Array(randomBytes(270_000)));
    expect(await prepare(new TextEncoder().encode("no image"))).toBe("photo-unreadable");
    expect(await prepare(whole.subarray(0, whole.length / 2))).toBe("photo-unreadable");
    expect(await prepare(await jpegOf(1_500, 1_400))).toBe("photo-too-large");
  });
});
