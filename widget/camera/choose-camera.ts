/** Which way a camera looks: at the person, or away. */
export type Facing = "user" | "environment";

export type Camera = { readonly deviceId: string; readonly label: string };

/** Cameras that give no colours, or distances in place of colours: the Pixel 4 offers one first. */
const unfit = /infra-?red|\bir\b|\bdepth\b|time.of.flight|\btof\b/i;

export const isFit = ({ label }: Pick<Camera, "label">): boolean => !unfit.test(label);

/**
 * A frame of an infrared camera has no colour: channels differ by less than this. A grey wall in colour has 4
 * and more.
 */
export const colourMin = 1.5;

/**
 * Constraints for a camera. Only `ideal`: with a `max` or an `exact` Firefox and some telephones answer that
 * there is no camera. A device id serves this page only, because it differs after a reload.
 */
export const constraintsFor = (
  facing: Facing,
  deviceId: string | undefined,
): MediaStreamConstraints & { readonly video: MediaTrackConstraints } => ({
  audio: false,
  video: {
    width: { ideal: 1280 },
    height: { ideal: 960 },
    // A wish for both would be a draw between the chosen camera and one that looks the other way.
    ...(deviceId === undefined ? { facingMode: { ideal: facing } } : { deviceId: { ideal: deviceId } }),
  },
});

/** The next fit camera after the current one, by its label; undefined without another. */
export const nextCamera = (cameras: readonly Camera[], current: string): Camera | undefined => {
  const fit = cameras.filter(isFit);
  const at = fit.findIndex(({ label }) => label === current);
  const next = fit[(at + 1) % Math.max(1, fit.length)];
  return next?.label === current ? undefined : next;
};

export type CameraProblem =
  | "camera_denied"
  | "camera_missing"
  | "camera_busy"
  | "camera_insecure"
  | "camera_unsupported"
  | "camera_grey"
  | "camera_silent";

/** The problem that an error of getUserMedia means, by its name (W3C Media Capture and Streams, 10.1). */
export const problemOfError = (name: string): CameraProblem => {
  switch (name) {
    case "NotAllowedError":
    case "PermissionDeniedError":
      return "camera_denied";
    case "SecurityError":
      return "camera_insecure";
    case "NotFoundError":
    case "DevicesNotFoundError":
    case "OverconstrainedError":
      return "camera_missing";
    case "NotReadableError":
    case "TrackStartError":
    case "AbortError":
      return "camera_busy";
    default:
      return "camera_unsupported";
  }
};

/**
 * Browsers inside other applications, which often refuse the camera: the application's own mark in the user
 * agent.
 */
const inApp =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Line\/|MicroMessenger|Twitter|TikTok|musical_ly|Snapchat|LinkedInApp|WhatsApp)|; wv\)/i;

/** A telephone or a tablet by its user agent: it has a camera that faces the person and can be moved. */
export const isTelephone = (userAgent: string): boolean =>
  /\b(Android|iPhone|iPad|iPod|Mobile)\b/.test(userAgent);

export const isInAppBrowser = (userAgent: string): boolean => inApp.test(userAgent);
