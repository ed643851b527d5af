import { describe, expect, it } from "vitest";
import { readPosition } from "./position.ts";
import { readSignatureImage } from "./signature-image.ts";

describe("a position", () => {
  it("is four numbers with commas, blanks around them or not", () => {
    expect(readPosition("50,50,250,120")).toStrictEqual([50, 50, 250, 120]);
    expect(readPosition(" 50 , 50.5, 250 ,+120.25 ")).toStrictEqual([50, 50.5, 250, 120.25]);
    expect(readPosition("-1,0,2,3")).toStrictEqual([-1, 0, 2, 3]);
  });

  it.each([
    "50,50,250",
    "50,50,250,120,1",
    "50,50,250,",
    "a,b,c,d",
    "50;50;250;120",
    "1e9,0,1,1",
    "NaN,0,1,1",
    "",
  ])("is refused where it is something else, with its start: '%s'", (text) => {
    expect(() => readPosition(text)).toThrow(
      expect.objectContaining({ code: "pdf_position_unreadable", facts: { sent: text } }),
    );
  });
});

describe("the image of a handwritten signature", () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]);
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);

  it("is a PNG or a JPEG by its first bytes, up to its limit", () => {
    expect(readSignatureImage(png, png.length)).toStrictEqual({ bytes: png, format: "png" });
    expect(readSignatureImage(jpeg, 100)).toStrictEqual({ bytes: jpeg, format: "jpeg" });
  });

  it("is refused where it is something else, or has a byte more", () => {
    const refused = expect.objectContaining({ code: "signature_image_unreadable" });
    expect(() => readSignatureImage(png, png.length - 1)).toThrow(refused);
    for (const other of [png.subarray(0, 7), new Uint8Array(), Buffer.from("GIF89a")]) {
      expect(() => readSignatureImage(other, 100)).toThrow(refused);
    }
  });
});
