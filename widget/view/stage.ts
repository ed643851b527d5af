import type { TurnDirection } from "#contract/capture";
import { type DocumentShape, guideRegion } from "../judge/document-facts.ts";
import { make, makeSvg } from "./dom.ts";

/** The camera image with the guide over it. It lives as long as the camera. */
export type Stage = {
  readonly element: HTMLElement;
  readonly video: HTMLVideoElement;
  readonly say: (text: string) => void;
  readonly showReady: (isReady: boolean) => void;
  readonly showArrow: (turn: TurnDirection | undefined) => void;
  /** Corners in shares of the frame, clockwise from the upper left. */
  readonly showCorners: (corners: readonly (readonly [number, number])[] | undefined) => void;
};

export type StageKind = "face" | DocumentShape;

/** An arrow to the right about the origin, and its rotation by direction; left and right as in a mirror. */
const arrowPath = "M-9,-4H2V-10L14,0L2,10V4H-9Z";
const arrowDegrees: Readonly<Record<TurnDirection, number>> = { right: 0, down: 90, left: 180, up: 270 };

const shapeOf = (kind: StageKind, width: number, height: number): SVGElement => {
  if (kind === "face") {
    const ry = Math.min(height * 0.4, width * 0.55);
    return makeSvg("ellipse", { cx: `${width / 2}`, cy: `${height / 2}`, rx: `${ry * 0.75}`, ry: `${ry}` });
  }
  const { x, y, width: across, height: down } = guideRegion({ width, height }, kind);
  return makeSvg("rect", {
    x: `${x}`,
    y: `${y}`,
    width: `${across}`,
    height: `${down}`,
    rx: `${down * 0.06}`,
  });
};

/** The video of a telephone must be muted and inline: else iOS opens its own player over the page. */
const makeVideo = (label: string): HTMLVideoElement => {
  const video = make("video", {
    attributes: { playsinline: "", autoplay: "", muted: "", "aria-label": label },
  });
  video.muted = true;
  video.playsInline = true;
  return video;
};

export const makeStage = (kind: StageKind, isMirrored: boolean, label: string): Stage => {
  const video = makeVideo(label);
  const plate = make("p", { class: "plate" });
  const overlay = makeSvg("svg", { "aria-hidden": "true" });
  const image = make("div", { class: isMirrored ? "stage mirrored" : "stage" }, [video, overlay]);
  const element = make("div", { class: "live" }, [image, plate]);
  let guide = makeSvg("g", {});
  const found = makeSvg("polygon", { class: "found", points: "" });
  const arrow = makeSvg("path", { class: "arrow", d: arrowPath, visibility: "hidden" });

  const layOut = (): void => {
    const [width, height] = [video.videoWidth, video.videoHeight];
    if (width === 0) return;
    // Orientation by the frame, not by the device: a telephone that is turned gives another frame.
    image.style.aspectRatio = `${width} / ${height}`;
    image.style.maxInlineSize = `calc(50vh * ${width / height})`;
    overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    guide = shapeOf(kind, width, height);
    guide.setAttribute("class", "guide");
    overlay.replaceChildren(guide, found, arrow);
  };
  video.addEventListener("loadedmetadata", layOut);
  video.addEventListener("resize", layOut);

  return {
    element,
    video,
    say: (text) => {
      if (plate.textContent !== text) plate.textContent = text;
    },
    showReady: (isReady) => guide.classList.toggle("ready", isReady),
    showArrow: (turn) => {
      arrow.setAttribute("visibility", turn === undefined ? "hidden" : "visible");
      if (turn === undefined) return;
      const scale = Math.min(video.videoWidth, video.videoHeight) / 60;
      const place = `translate(${video.videoWidth / 2} ${video.videoHeight * 0.16})`;
      arrow.setAttribute("transform", `${place} rotate(${arrowDegrees[turn]}) scale(${scale})`);
    },
    showCorners: (corners) => {
      const points = (corners ?? []).map(([x, y]) => `${x * video.videoWidth},${y * video.videoHeight}`);
      found.setAttribute("points", points.join(" "));
    },
  };
};
