import {
  type Camera,
  type CameraProblem,
  constraintsFor,
  type Facing,
  isFit,
  nextCamera,
  problemOfError,
} from "./choose-camera.ts";

export type OpenCamera = {
  readonly label: string;
  readonly stream: MediaStream;
  /** Every track is stopped: the light of the camera goes out. */
  readonly stop: () => void;
};

export type CameraResult = OpenCamera | { readonly problem: CameraProblem };

/** The cameras of this page. It remembers the label of the chosen one, in memory only. */
export type Cameras = {
  readonly open: (facing: Facing) => Promise<CameraResult>;
  /** Opens another camera than the current one; the same again without another. */
  readonly switchCamera: (facing: Facing) => Promise<CameraResult>;
};

const openWaitMs = 20_000;

const labelOf = (stream: MediaStream): string => stream.getVideoTracks()[0]?.label ?? "";

const stopTracks = (stream: MediaStream): void => {
  for (const track of stream.getTracks()) track.stop();
};

/**
 * A stream that comes after the wait is stopped at once. The person may read the browser's question for some
 * time.
 */
const ask = async (constraints: MediaStreamConstraints): Promise<MediaStream | CameraProblem> => {
  if (!globalThis.isSecureContext) return "camera_insecure";
  // Old web views have no mediaDevices at all, although the types name it.
  if (!("mediaDevices" in navigator)) return "camera_unsupported";
  try {
    return await navigator.mediaDevices.getUserMedia(constraints);
  } catch (error) {
    return problemOfError(error instanceof DOMException ? error.name : "");
  }
};

const withLimit = async (
  asked: Promise<MediaStream | CameraProblem>,
): Promise<MediaStream | CameraProblem> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), openWaitMs);
  });
  const first = await Promise.race([asked, late]);
  clearTimeout(timer);
  if (first !== "late") return first;
  void asked.then((stream) => typeof stream === "string" || stopTracks(stream));
  return "camera_silent";
};

export const makeCameras = (): Cameras => {
  let listed: readonly Camera[] | undefined;
  const chosen = new Map<Facing, Camera>();
  let opened = "";

  /**
   * Once in the life of a page: repeated calls break the camera of Safari 13. Labels come with the
   * permission.
   */
  const list = async (): Promise<readonly Camera[]> => {
    if (listed !== undefined) return listed;
    const found = (await navigator.mediaDevices.enumerateDevices())
      .filter(({ kind, label }) => kind === "videoinput" && label !== "")
      .map(({ deviceId, label }) => ({ deviceId, label }));
    if (found.length > 0) listed = found;
    return found;
  };

  const open = async (facing: Facing): Promise<CameraResult> => {
    const stream = await withLimit(ask(constraintsFor(facing, chosen.get(facing)?.deviceId)));
    if (typeof stream === "string") return { problem: stream };
    const label = labelOf(stream);
    if (!isFit({ label }) && !chosen.has(facing)) {
      stopTracks(stream);
      const next = nextCamera(await list(), label);
      if (next === undefined) return { problem: "camera_grey" };
      chosen.set(facing, next);
      return open(facing);
    }
    opened = label;
    return { label, stream, stop: () => stopTracks(stream) };
  };

  return {
    open,
    switchCamera: async (facing) => {
      // Before the first permission cameras have no labels, so there is none to switch to.
      const next = opened === "" ? undefined : nextCamera(await list(), opened);
      if (next !== undefined) chosen.set(facing, next);
      return open(facing);
    },
  };
};
