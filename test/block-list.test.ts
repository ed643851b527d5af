import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeClient } from "../src/cli/client.ts";
import { fetchPublishedKeys } from "../src/cli/tokens.ts";
import { sealToken } from "../src/tokens/seal.ts";
import { persons, toBase64 } from "./harness/pictures.ts";
import { type House, makeHouse, runIdem } from "./harness/service.ts";

let house: House;
beforeEach(async () => {
  house = await makeHouse();
});
afterEach(() => house.clear());

/** Starts the service, sends a first call for the user, and stops it. */
const firstCall = async (userId: string): Promise<unknown> => {
  const service = await house.start();
  const client = makeClient(service.url, service.apiKey);
  const keys = await fetchPublishedKeys(service.url);
  const { body } = await client.post("/services/authenticateUser/v2", {
    userId,
    merchantReferenceId: "login-1",
    image: toBase64(persons.portrait),
    bestImageToken: await sealToken({ keys, kind: "best-image", payload: persons.selfie, now: new Date() }),
  });
  await service.stop();
  return body;
};

it("lets the operator block a face from a picture and from a user, list the blocked and unblock them", {
  timeout: 300_000,
}, async () => {
  const idem = (...args: readonly string[]) => runIdem(["people", ...args], { IDEM_DATA: house.directory });
  const picture = join(house.directory, "face.jpg");
  expect(await firstCall("user-1")).toMatchObject({ serviceResultCode: 0 });

  await writeFile(picture, persons.selfie);
  const fromPicture = await idem("block", "--picture", picture, "--world", "test", "--note", "case 17");
  const fromUser = await idem("block", "--user", "user-1");
  expect([fromPicture.code, fromUser.code]).toStrictEqual([0, 0]);
  const again = await idem("block", "--picture", picture, "--world", "test");
  expect([again.code, again.stdout]).toStrictEqual([0, fromPicture.stdout]);
  expect(again.stderr).toContain("is blocked in the test world already");
  const { stdout } = await idem("blocked");
  expect(stdout).toMatch(new RegExp(`${fromPicture.stdout.trim()}\\s+test\\s+\\S+\\s+in use\\s+case 17`));
  expect(stdout).toContain(fromUser.stdout.trim());
  expect(await firstCall("user-2")).toMatchObject({
    serviceResultCode: -100,
    enrolmentRefusal: "BLACKLISTED_FACE_TEMPLATE",
    outcome: "rejected",
  });

  for (const { stdout: id } of [fromPicture, fromUser]) {
    expect((await idem("unblock", "--id", id.trim())).code).toBe(0);
    expect((await idem("unblock", "--id", id.trim())).code).toBe(1);
  }
  expect(await firstCall("user-2")).toMatchObject({ serviceResultCode: 0 });

  await writeFile(picture, "no picture");
  const noPicture = await idem("block", "--picture", picture, "--world", "test");
  expect([noPicture.code, noPicture.stderr]).toStrictEqual([1, expect.stringContaining("no picture")]);
  expect((await idem("block", "--picture", picture)).code).toBe(2);
  expect((await idem("block")).code).toBe(2);
});
