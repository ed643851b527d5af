import type { ImageFormat } from "./file-format.ts";

/** RGB image, 8 bits per channel, interleaved, row by row: `data.length === width * height * 3`. */
export type Image = {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
};

/** One-channel image, 8 bits, row by row. */
export type GreyImage = {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
};

/** Facts from the file itself, before any judgement. */
export type FileFacts = {
  readonly format: ImageFormat;
  readonly bytes: number;
  /** Size after the EXIF rotation, before any scaling. */
  readonly width: number;
  readonly height: number;
  readonly hasExif: boolean;
  readonly exifSoftware?: string;
  readonly exifCamera?: string;
  /** Estimated from the quantisation table, 1…100; absent for other formats. */
  readonly jpegQuality?: number;
  /** Steps of the luminance quantisation table in zigzag order; absent for other formats. */
  readonly jpegSteps?: readonly number[];
};

/** An upright sRGB image with the facts of its file. `scale` = pixels of this image per pixel of the file. */
export type OpenedImage = Image & { readonly file: FileFacts; readonly scale: number };

export type OpenOptions = {
  /** Longest side of the result; JPEG shrinks while decoding. Absent: native size. */
  readonly longSideMax?: number;
  /** A smaller image is enlarged (cubic) to this longest side. */
  readonly longSideMin?: number;
  /** Background colour under transparency. Default white. */
  readonly background?: string;
};

/** 2x3 matrix [a b c; d e f]: source x = a*u + b*v + c, y = d*u + e*v + f for target pixel (u, v). */
export type Affine = readonly [number, number, number, number, number, number];

export type Point = readonly [x: number, y: number];

/** Corners in order top-left, top-right, bottom-right, bottom-left. */
export type Quad = readonly [Point, Point, Point, Point];

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** All image operations for other modules; every function respects the limits of {@link makeImaging}. */
export type Imaging = {
  /**
   * Decodes, rotates by EXIF, flattens, converts to sRGB. Fails with image_unreadable | image_unsupported |
   * image_too_large, and with engine_busy on a machine that is too busy to decode in time.
   */
  readonly open: (bytes: Uint8Array, options?: OpenOptions) => Promise<OpenedImage>;
  /** Antialiased (cubic), to the nearest whole pixels, at least one; the caller chooses the aspect ratio. */
  readonly resize: (image: Image, width: number, height: number) => Promise<Image>;
  readonly toGrey: (image: Image) => GreyImage;
  readonly crop: (image: Image, box: Box) => Image;
  /** Rotates clockwise by quarter rotations, pixel by pixel. */
  readonly rotate: (image: Image, quarterRotations: 1 | 2 | 3) => Image;
  /**
   * Samples bilinearly (box-averaged when shrinking) into float RGB, 0…255; pixels beyond the image are
   * `fill`.
   */
  readonly warpAffine: (
    image: Image,
    matrix: Affine,
    width: number,
    height: number,
    fill?: number,
  ) => Float32Array;
  /**
   * Rectifies a quadrilateral to an upright image of the given size. `margin` = share kept around it on each
   * side.
   */
  readonly rectify: (image: Image, quad: Quad, width: number, height: number, margin?: number) => Image;
  /** Like `rectify`, in luma. */
  readonly rectifyGrey: (
    image: Image,
    quad: Quad,
    width: number,
    height: number,
    margin?: number,
  ) => GreyImage;
  readonly encodeJpeg: (image: Image, quality: number) => Promise<Uint8Array>;
  readonly encodePng: (image: Image) => Promise<Uint8Array>;
};
