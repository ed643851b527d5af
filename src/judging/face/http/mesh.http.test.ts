import { expect, it } from "vitest";
import { imageOf, openFaceEngine } from "#support/face/images";
import { startServer } from "#support/http/harness";
import { showMeshEndpoint } from "./mesh.endpoint.ts";

const { server, makeKey } = startServer({ endpoints: [showMeshEndpoint(openFaceEngine(), 1_000_000)] });

const show = async (image: Uint8Array, environment: "live" | "test" = "test") => {
  const answer = await server.app.inject({
    method: "POST",
    url: "/sandbox/v1/mesh",
    headers: { "x-api-key": makeKey({ environment }) },
    payload: { image: Buffer.from(image).toString("base64") },
  });
  return { status: answer.statusCode, body: answer.json() };
};

const selfie = imageOf("franck_02221.jpg");

it("shows 468 landmarks within the image, eyes above the chin", async () => {
  const { status, body } = await show(selfie);
  expect([status, body.width, body.height, body.points.length]).toEqual([200, 720, 576, 468]);
  for (const [x, y] of body.points) {
    expect(x).toBeGreaterThan(0);
    expect(x).toBeLessThan(720);
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(576);
  }
  const [eye, chin] = [33, 152].map((at) => body.points[at]);
  expect(eye[1]).toBeLessThan(chin[1]);
});

it("does not exist for a live key, and refuses a file that is no image", async () => {
  const live = await show(selfie, "live");
  expect([live.status, live.body.failure]).toEqual([404, "path_unknown"]);
  const text = await show(Buffer.from("no image"));
  expect([text.status, text.body.failure]).toEqual([422, "image_unsupported"]);
});
