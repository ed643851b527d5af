import { describe, expect, it } from "vitest";
import {
  constraintsFor,
  isFit,
  isInAppBrowser,
  isTelephone,
  nextCamera,
  problemOfError,
} from "./choose-camera.ts";
import { detectorSize, fitWithin } from "./frames.ts";

const cameras = ["Front", "Front infrared", "Rear", "Rear IR camera"].map((label, i) => ({
  deviceId: `d${i}`,
  label,
}));

describe("the choice of a camera", () => {
  it("asks by ideals alone: a max or an exact leaves Firefox and some telephones without a camera", () => {
    const text = JSON.stringify([constraintsFor("user", undefined), constraintsFor("environment", "d1")]);
    expect(text).not.toMatch(/"(max|min|exact)"/);
    expect(text).not.toContain("frameRate");
    expect(constraintsFor("user", undefined).audio).toBe(false);
  });

  it("asks for the camera that the person chose, whichever way it looks", () => {
    expect(constraintsFor("user", undefined).video).toMatchObject({ facingMode: { ideal: "user" } });
    const { video } = constraintsFor("user", "d1");
    expect(video).toMatchObject({ deviceId: { ideal: "d1" } });
    expect(video.facingMode).toBeUndefined();
  });

  it("never takes an infrared or depth camera", () => {
    expect(["Front", "Rear wide", "Mirror cam"].every((label) => isFit({ label }))).toBe(true);
    expect(["Infrared", "infra-red 2", "camera2 ir", "Depth", "ToF"].some((label) => isFit({ label }))).toBe(
      false,
    );
    expect(nextCamera(cameras, "Front")?.label).toBe("Rear");
    expect(nextCamera(cameras, "Rear")?.label).toBe("Front");
    expect(nextCamera(cameras, "Front infrared")?.label).toBe("Front");
    expect(nextCamera([cameras[0]!], "Front")).toBeUndefined();
    expect(nextCamera([], "Front")).toBeUndefined();
  });

  it("names the problem that a browser's error means", () => {
    expect(
      ["NotAllowedError", "NotFoundError", "NotReadableError", "SecurityError", "TypeError"].map(
        problemOfError,
      ),
    ).toEqual(["camera_denied", "camera_missing", "camera_busy", "camera_insecure", "camera_unsupported"]);
  });

  it("tells browsers inside other applications from browsers", () => {
    const safari =
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1";
    expect(isInAppBrowser(safari)).toBe(false);
    expect(isInAppBrowser(`${safari} [FBAN/FBIOS;FBAV/480.0]`)).toBe(true);
    expect(
      isInAppBrowser(
        "Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/X; wv) AppleWebKit/537.36 Chrome/130 Mobile",
      ),
    ).toBe(true);
  });
});

describe("the device", () => {
  it("is a telephone or a tablet by its browser's own words", () => {
    const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36";
    expect(isTelephone(windows)).toBe(false);
    expect(isTelephone("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/142.0 Mobile Safari/537.36")).toBe(
      true,
    );
    expect(isTelephone("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0")).toBe(true);
  });
});

describe("sizes of frames", () => {
  it("fit the longest side and never grow", () => {
    expect(fitWithin(1280, 960, 640)).toEqual({ width: 640, height: 480 });
    expect(fitWithin(480, 640, 1280)).toEqual({ width: 480, height: 640 });
  });

  it("give the detector multiples of 32 in the frame's shape", () => {
    expect(detectorSize(480, 640)).toEqual({ width: 96, height: 128 });
    expect(detectorSize(640, 480)).toEqual({ width: 128, height: 96 });
    expect(detectorSize(1920, 1080)).toEqual({ width: 128, height: 64 });
    expect(detectorSize(100, 1000)).toEqual({ width: 32, height: 128 });
  });
});
