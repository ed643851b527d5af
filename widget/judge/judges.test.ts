import { describe, expect, it } from "vitest";
import { addLook, bestFrameLimits, startBestFrame } from "./best-frame.ts";
import { countFaces, directionOf, type FaceFacts, facePolicy, judgeFace } from "./judge-face.ts";
import { pace, paceLimits, startPace } from "./pace.ts";
import { headPoseOf } from "./pose.ts";
import { chooseTurnFrames, progressAt, progressOf, turnLimits } from "./turn.ts";

const good: FaceFacts = {
  faces: 1,
  frameMedian: 120,
  face: {
    width: 0.35,
    right: 0.02,
    down: -0.03,
    pose: { yaw: 2, pitch: -3, roll: 1 },
    light: { median: 130, burntShare: 0 },
    sharpness: 0.2,
    change: 2,
  },
};
type Face = NonNullable<FaceFacts["face"]>;
const withFace = (change: Partial<Face>): FaceFacts => ({ ...good, face: { ...good.face!, ...change } });
const posed = (change: Partial<Face["pose"]>) => withFace({ pose: { ...good.face!.pose, ...change } });
const lit = (change: Partial<Face["light"]>) => withFace({ light: { ...good.face!.light, ...change } });

describe("judgeFace", () => {
  it("asks for nothing in front of a good face, and for a face where there is none", () => {
    expect(judgeFace(good)).toBeUndefined();
    expect(judgeFace({ faces: 0, frameMedian: 120 })).toBe("no_face");
    expect(judgeFace({ faces: 0, frameMedian: 10 })).toBe("too_dark");
  });

  const step = 0.001;
  it.each([
    ["closer", withFace({ width: facePolicy.widthMin - step }), withFace({ width: facePolicy.widthMin })],
    ["further", withFace({ width: facePolicy.widthMax + step }), withFace({ width: facePolicy.widthMax })],
    [
      "center",
      withFace({ right: facePolicy.offCentreMax + step, down: 0 }),
      withFace({ right: facePolicy.offCentreMax, down: 0 }),
    ],
    ["turn_less", posed({ yaw: -facePolicy.yawMax - step }), posed({ yaw: -facePolicy.yawMax })],
    ["turn_less", posed({ pitch: facePolicy.pitchMax + step }), posed({ pitch: facePolicy.pitchMax })],
    ["turn_less", posed({ roll: facePolicy.rollMax + step }), posed({ roll: facePolicy.rollMax })],
    ["too_dark", lit({ median: facePolicy.darkMedian - 1 }), lit({ median: facePolicy.darkMedian })],
    ["too_bright", lit({ median: facePolicy.brightMedian + 1 }), lit({ median: facePolicy.brightMedian })],
    [
      "too_bright",
      lit({ burntShare: facePolicy.burntShareMax + step }),
      lit({ burntShare: facePolicy.burntShareMax }),
    ],
    [
      "hold_still",
      withFace({ change: facePolicy.changeMax + step }),
      withFace({ change: facePolicy.changeMax }),
    ],
    [
      "hold_still",
      withFace({ sharpness: facePolicy.sharpnessMin - step }),
      withFace({ sharpness: facePolicy.sharpnessMin }),
    ],
  ])("says %s beyond its bound and nothing at it", (code, beyond, at) => {
    expect(judgeFace(beyond)).toBe(code);
    expect(judgeFace(at)).toBeUndefined();
  });

  it("says closer and further, never one of them for ever: a face too near is sent away", () => {
    expect(judgeFace(withFace({ width: 0.9 }))).toBe("further");
    expect(judgeFace(withFace({ width: 0.1 }))).toBe("closer");
  });

  it("counts a second face of half the width, and no smaller one", () => {
    const face = (width: number) =>
      ({
        score: 1,
        x: 0,
        y: 0,
        width,
        height: width,
        rightEye: [0, 0],
        leftEye: [1, 0],
        nose: [0, 0],
        mouth: [0, 1],
        rightEar: [0, 0],
        leftEar: [1, 0],
      }) as const;
    expect(countFaces([face(100), face(50)])).toBe(2);
    expect(countFaces([face(100), face(49)])).toBe(1);
    expect(judgeFace({ ...good, faces: 2 })).toBe("many_faces");
  });

  it("names the way to the middle as the person goes it: the frame's right is the person's left", () => {
    expect(directionOf({ right: 0.3, down: 0.1 })).toBe("moveRight");
    expect(directionOf({ right: -0.3, down: 0.1 })).toBe("moveLeft");
    expect(directionOf({ right: 0.1, down: 0.3 })).toBe("moveUp");
    expect(directionOf({ right: 0.1, down: -0.3 })).toBe("moveDown");
  });
});

describe("headPoseOf", () => {
  const frontal = {
    score: 1,
    x: 0,
    y: 0,
    width: 100,
    height: 100,
    rightEye: [30, 40],
    leftEye: [70, 40],
    nose: [50, 62.5],
    mouth: [50, 80],
    rightEar: [0, 50],
    leftEar: [100, 50],
  } as const;

  it("is level for a frontal face, and its yaw grows to the person's left", () => {
    const { yaw, pitch, roll } = headPoseOf(frontal);
    expect([yaw, roll]).toEqual([0, 0]);
    expect(Math.abs(pitch)).toBeLessThan(0.5);
    expect(headPoseOf({ ...frontal, nose: [80, 62.5] }).yaw).toBeGreaterThan(18);
    expect(headPoseOf({ ...frontal, nose: [50, 82.5] }).pitch).toBeGreaterThan(15);
  });

  it("keeps yaw and pitch when the head leans", () => {
    const [cos, sin] = [Math.cos(0.4), Math.sin(0.4)];
    const turn = ([x, y]: readonly [number, number]) => [x * cos - y * sin, x * sin + y * cos] as const;
    const leaning = {
      ...frontal,
      rightEye: turn(frontal.rightEye),
      leftEye: turn(frontal.leftEye),
      nose: turn([80, 62.5]),
      mouth: turn(frontal.mouth),
      rightEar: turn(frontal.rightEar),
      leftEar: turn(frontal.leftEar),
    };
    const upright = headPoseOf({ ...frontal, nose: [80, 62.5] });
    expect(headPoseOf(leaning).yaw).toBeCloseTo(upright.yaw, 6);
    expect(headPoseOf(leaning).pitch).toBeCloseTo(upright.pitch, 6);
    expect(headPoseOf(leaning).roll).toBeCloseTo(22.9, 1);
  });
});

describe("pace", () => {
  it("shows an instruction that stood still for 300 ms, and no shorter one", () => {
    const begun = pace(startPace<string>(0), "closer", 0);
    expect(pace(begun, "closer", paceLimits.stableMs - 1).shown).toBeUndefined();
    expect(pace(begun, "closer", paceLimits.stableMs).shown).toBe("closer");
  });

  it("keeps an instruction for 800 ms, and starts anew when the frames change their mind", () => {
    let current = pace(pace(startPace<string>(0), "closer", 0), "closer", 300);
    current = pace(current, "center", 350);
    expect(pace(current, "center", 300 + paceLimits.shownMs - 1).shown).toBe("closer");
    expect(pace(current, "center", 300 + paceLimits.shownMs).shown).toBe("center");
    const wavering = pace(pace(current, "closer", 900), "center", 1_000);
    expect(pace(wavering, "center", 1_200).shown).toBe("closer");
  });
});

describe("addLook", () => {
  const look = { mayCapture: true, isWanted: false, score: 1, now: 0 };

  it("keeps nothing before the frames were fit for half a second, then the best of five", () => {
    let step = addLook(startBestFrame, look);
    step = addLook(step.next, { ...look, now: bestFrameLimits.readyMs - 1 });
    expect(step.keeps).toBe(false);
    const scores = [3, 2, 5, 4, 1];
    const kept = scores.map((score, i) => {
      step = addLook(step.next, { ...look, score, now: bestFrameLimits.readyMs + 100 * i });
      return step.keeps;
    });
    expect(kept).toEqual([true, false, true, false, false]);
    expect(step.isDone).toBe(true);
  });

  it("ends after seven tenths of a second on a slow device", () => {
    const ready = addLook(addLook(startBestFrame, look).next, { ...look, now: bestFrameLimits.readyMs });
    const late = { ...look, now: bestFrameLimits.readyMs + bestFrameLimits.spanMs };
    expect(addLook(ready.next, { ...late, now: late.now - 1 }).isDone).toBe(false);
    expect(addLook(ready.next, late).isDone).toBe(true);
  });

  it("begins anew after a frame that is not fit, and takes any frame at the shutter", () => {
    const ready = addLook(addLook(startBestFrame, look).next, { ...look, now: 600 });
    const lost = addLook(ready.next, { ...look, mayCapture: false, now: 700 });
    expect(lost.next).toEqual(startBestFrame);
    expect(addLook(lost.next, { ...look, now: 800 }).keeps).toBe(false);
    expect(addLook(lost.next, { ...look, mayCapture: false, isWanted: true })).toMatchObject({
      keeps: true,
      isDone: true,
    });
  });
});

describe("the frames of a turn", () => {
  const at = (progress: readonly number[], gap = 120) =>
    progress.map((degrees, i) => ({ capturedMs: i * gap, progress: degrees }));

  it("are six: the latest at the centre, the first that shows the turn, four evenly between", () => {
    const frames = at([0, 1, 0, 2, 4, 7, 9, 12, 14, 16, 18, 21, 24]);
    expect(chooseTurnFrames(frames)).toEqual([4, 5, 7, 8, 10, 11]);
  });

  it("take frames from before the start of a quick turn", () => {
    expect(chooseTurnFrames(at([0, 0, 0, 7, 14, 21]))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(chooseTurnFrames(at([0, 0, 7, 14, 21]))).toBeUndefined();
  });

  it("have no jump between them, as the service asks", () => {
    const most = turnLimits.shareMax * 20;
    expect(chooseTurnFrames(at([0, 0, 2, 20 - most - 4, 16, 20]))).toBeDefined();
    expect(chooseTurnFrames(at([0, 0, 2, 2 + most, 16, 20]))).toBeDefined();
    expect(chooseTurnFrames(at([0, 0, 2, 2 + most + 0.1, 16, 20]))).toBeUndefined();
    expect(chooseTurnFrames(at([0, 0, 0, 0, 8, 22]))).toBeUndefined();
  });

  it("may end a little before the guide saw the turn, and no further", () => {
    expect(chooseTurnFrames(at([0, 2, 5, 9, 12, turnLimits.lastDegrees]))).toEqual([0, 1, 2, 3, 4, 5]);
    expect(chooseTurnFrames(at([0, 2, 5, 9, 12, turnLimits.lastDegrees - 0.1]))).toBeUndefined();
  });

  it("lie 60 to 400 ms apart, as the service asks", () => {
    const turn = [0, 4, 8, 12, 16, 20];
    for (const gap of [turnLimits.gapMsMin, turnLimits.gapMsMax])
      expect(chooseTurnFrames(at(turn, gap))).toBeDefined();
    for (const gap of [turnLimits.gapMsMin - 1, turnLimits.gapMsMax + 1]) {
      expect(chooseTurnFrames(at(turn, gap))).toBeUndefined();
    }
  });

  it("start at the centre: a head that came from the other side does not", () => {
    expect(chooseTurnFrames(at([-30, -20, -10, 0, 10, 20]))).toBeUndefined();
  });

  it("grow in the asked direction from the person's own centre", () => {
    const centre = { yaw: 4, pitch: -2, roll: 0 };
    const pose = { yaw: 24, pitch: 10, roll: 0 };
    expect(progressOf("left", pose, centre)).toBe(20);
    expect(progressOf("right", pose, centre)).toBe(-20);
    expect(progressOf("down", pose, centre)).toBe(12);
    expect(progressOf("up", pose, centre)).toBe(-12);
  });

  it("have a progress between two measurements, and none beyond them", () => {
    const measured = [
      { atMs: 100, degrees: 0 },
      { atMs: 300, degrees: 10 },
    ];
    expect(progressAt(measured, 150)).toBe(2.5);
    expect(progressAt(measured, 300)).toBe(10);
    expect(progressAt(measured, 99)).toBeUndefined();
    expect(progressAt(measured, 301)).toBeUndefined();
  });
});
