import type { SmallFrame } from "../judge/frame-facts.ts";

/** Width and height of a frame, scaled down so that the longer side is at most `longest`; never scaled up. */
export const fitWithin = (
  width: number,
  height: number,
  longest: number,
): { readonly width: number; readonly height: number } => {
  const scale = Math.min(1, longest / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

/** The input of the detector: multiples of 32, of the frame's own shape, so that portrait costs no border. */
export const detectorSize = (
  width: number,
  height: number,
): { readonly width: number; readonly height: number } => {
  const longest = 128;
  const scale = longest / Math.max(width, height);
  const whole = (side: number): number =>
    Math.min(longest, Math.max(32, Math.round((side * scale) / 32) * 32));
  return { width: whole(width), height: whole(height) };
};

export const jpegQuality = { best: 0.9, turn: 0.85 } as const;
/** Longest side of the best image, and of a frame of a turn. */
export const longestSide = { best: 1280, turn: 640, document: 2560, look: 256 } as const;

export type Grabber = {
  /**
   * A small frame for the guidance; undefined while the video has none. With `candidate` the same frame is
   * kept at hand, its longer side at most so long.
   */
  readonly look: (candidate: number | undefined) => SmallFrame | undefined;
  /** When the frame of the last look was drawn. */
  readonly lookedMs: () => number;
  /** Keeps the candidate in place of the kept frame, and returns when it was drawn. */
  readonly accept: () => number;
  /** The JPEG of the kept frame. */
  readonly encode: (quality: number) => Promise<Blob>;
  /** A frame at once, as a JPEG. */
  readonly grab: (
    longest: number,
    quality: number,
  ) => { readonly capturedMs: number; readonly image: Promise<Blob> };
};

const contextOf = (canvas: HTMLCanvasElement, isRead: boolean): CanvasRenderingContext2D => {
  const context = canvas.getContext("2d", { willReadFrequently: isRead });
  if (context === null) throw new Error("The browser has no canvas");
  return context;
};

const draw = (video: HTMLVideoElement, context: CanvasRenderingContext2D, longest: number): void => {
  const { width, height } = fitWithin(video.videoWidth, video.videoHeight, longest);
  const { canvas } = context;
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.drawImage(video, 0, 0, width, height);
};

export const encodeJpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("The browser encoded no image")) : resolve(blob)),
      "image/jpeg",
      quality,
    );
  });

/**
 * Frames of a video. Stills of a canvas need no MediaRecorder, which old telephones lack or which falls
 * silent.
 */
export const makeGrabber = (video: HTMLVideoElement, now: () => number): Grabber => {
  const small = contextOf(document.createElement("canvas"), true);
  const grabbed = contextOf(document.createElement("canvas"), false);
  let candidate = contextOf(document.createElement("canvas"), false);
  let kept = contextOf(document.createElement("canvas"), false);
  let drawnMs = 0;
  return {
    look: (longest) => {
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0) return undefined;
      draw(video, small, longestSide.look);
      if (longest !== undefined) draw(video, candidate, longest);
      drawnMs = now();
      const { width, height } = small.canvas;
      return { width, height, rgba: small.getImageData(0, 0, width, height).data };
    },
    lookedMs: () => drawnMs,
    accept: () => {
      [kept, candidate] = [candidate, kept];
      return drawnMs;
    },
    encode: (quality) => encodeJpeg(kept.canvas, quality),
    grab: (longest, quality) => {
      draw(video, grabbed, longest);
      return { capturedMs: now(), image: encodeJpeg(grabbed.canvas, quality) };
    },
  };
};
