import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makePackFace, openSearchHarness } from "#app/search-bench";
import { makeDrawFace } from "#evaluation/faces/synthetic-faces";
import { makeSearchFaces } from "../search-faces.ts";
import { type FollowDeps, type Follower, startFollowing } from "./follow.ts";

let folder: string;
let harness: Awaited<ReturnType<typeof openSearchHarness>>;
let follower: Follower;
const errors: unknown[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-follow-"));
  harness = await openSearchHarness(folder);
  errors.splice(0);
});
afterEach(async () => {
  await follower.stop();
  await harness.close();
  await rm(folder, { recursive: true });
});

const template = makePackFace()(makeDrawFace(5)(2, 0));
const pollMs = 10;

/** A thread that does what the test scripts, so that it can end at a given moment or fail for one tenant. */
const threadOf = (
  put: FollowDeps["gallery"]["put"] = async () => ({ sizes: [], unopened: 0 }),
): FollowDeps["gallery"] => ({ put, remove: async () => undefined, forget: async () => undefined });

const follow = async (gallery: FollowDeps["gallery"]): Promise<void> => {
  await new Promise<void>((resolve) => {
    follower = startFollowing({
      store: harness.store,
      gallery,
      lists: ["people"],
      onProgress: ({ isFilled }) => isFilled && resolve(),
      onError: (error) => errors.push(error),
      pollMs,
    });
  });
};

const unavailable = { code: "search_unavailable", facts: { retryAfterSeconds: 5 } };

it("fails if the thread ends while a list is updated", async () => {
  const putting = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<{ sizes: []; unopened: number }>();
  await follow(
    threadOf(() => {
      putting.resolve();
      return ending.promise;
    }),
  );
  await harness.enrol(template);
  const caught = follower.catchUp("people", harness.owner.tenantId);
  await putting.promise;
  follower.reset();
  ending.resolve({ sizes: [], unopened: 0 });
  await expect(caught).rejects.toMatchObject(unavailable);
});

it("fails if the thread ends between the update of the list and the answer of the search", async () => {
  await harness.enrol(template);
  await follow(threadOf());
  const { requireSameThread } = await follower.catchUp("people", harness.owner.tenantId);
  expect(requireSameThread).not.toThrow();
  const search = makeSearchFaces({
    ...harness,
    follower,
    face: { compare: () => ({ result: "None" }) },
    policy: { duplicates: "flag", fpir: { review: 0.1, refusal: 0.01 } },
    scoreFor: () => 3,
    gallery: {
      size: () => 1,
      missing: () => 0,
      search: async () => {
        follower.reset();
        return { candidates: [], total: 0 };
      },
    },
  });
  await expect(search("people", harness.owner, template)).rejects.toMatchObject(unavailable);
  expect(requireSameThread).toThrow(expect.objectContaining(unavailable));
});

it("continues with the other tenants if one fails, and only that one cannot be searched", async () => {
  const id = randomUUID();
  await harness.store.createTenant({ id, name: "other", createdAt: new Date() });
  await harness.enrol(template);
  await follow(
    threadOf(async ({ faces }) => {
      if (faces.some(({ tenantId }) => tenantId === harness.owner.tenantId)) throw new Error("no such face");
      return { sizes: [], unopened: 0 };
    }),
  );
  expect(errors).toMatchObject([{ message: "no such face" }]);
  await expect(follower.catchUp("people", harness.owner.tenantId)).rejects.toMatchObject(unavailable);
  expect(await follower.catchUp("people", id)).toMatchObject({ seq: 0 });
});
