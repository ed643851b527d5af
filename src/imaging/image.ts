/** RGB picture, 8 bits a channel, interleaved, row by row: `data.length === width * height * 3`. */
export type Image = {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
};

/** One-channel picture, 8 bits, row by row. */
export type GreyImage = {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
};

/** What the file itself tells, before any judging. */
export type FileFacts = {
  readonly format: "jpeg" | "png";
  readonly bytes: number;
  /** Size after the EXIF turn, before any scaling. */
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

/** An upright sRGB picture with the facts of its file. `scale` = pixels of this picture per pixel of the file. */
export type OpenedImage = Image & { readonly file: FileFacts; readonly scale: number };

export type OpenOptions = {
  /** Longest side of the result; JPEG shrinks while decoding. Absent: native size. */
  readonly longSideMax?: number;
  /** A smaller picture is enlarged (cubic) to this longest side. */
  readonly longSideMin?: number;
  /** Colour laid under transparency. Default white. */
  readonly background?: string;
};

/** 2x3 matrix [a b c; d e f]: source x = a*u + b*v + c, y = d*u + e*v + f for target pixel (u, v). */
export type Affine = readonly [number, number, number, number, number, number];

export type Point = readonly [x: number, y: number];

/** Corners in order top-left, top-right, bottom-right, bottom-left. */
export type Quad = readonly [Point, Point, Point, Point];

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** All that other rooms may do with pictures; every function is bounded by the limits it was made with. */
export type Imaging = {
  /** Decodes, turns by EXIF, flattens, converts to sRGB. Fails with image_unreadable | image_unsupported | image_too_large. */
  readonly open: (bytes: Uint8Array, options?: OpenOptions) => Promise<OpenedImage>;
  readonly resize: (image: Image, width: number, height: number) => Promise<Image>;
  readonly toGrey: (image: Image) => GreyImage;
  readonly crop: (image: Image, box: Box) => Image;
  /** Turns clockwise by quarter turns, pixel by pixel. */
  readonly turn: (image: Image, quarterTurns: 1 | 2 | 3) => Image;
  /** Samples bilinearly (box-averaged when shrinking) into float RGB, 0…255; outside is `fill`. */
  readonly warpAffine: (
    image: Image,
    matrix: Affine,
    width: number,
    height: number,
    fill?: number,
  ) => Float32Array;
  /** Rectifies a quadrilateral to an upright picture of the given size. `margin` = share kept outside on each side. */
  readonly rectify: (image: Image, quad: Quad, width: number, height: number, margin?: number) => Image;
  /** The same in luma. */
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
